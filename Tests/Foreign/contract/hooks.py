"""What JSON Schema cannot say of Doorstep's contract: cases that break it are not sent as good ones."""
import schemathesis

NAME_BYTES = 255


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts(member)


def fits(value):
    """Limits are in bytes of UTF-8, maxLength counts code points: what is neither too long nor short enough is left out."""
    return all(len(text) > NAME_BYTES or len(text.encode("utf-8", "surrogatepass")) <= NAME_BYTES for text in texts(value))


@schemathesis.hook
def filter_body(context, body):
    return fits(body)


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return fits(path_parameters)


@schemathesis.hook
def filter_query(context, query):
    return fits(query)


@schemathesis.hook
def map_query(context, query):
    """Nobody waits long for what does not come."""
    if isinstance(query, dict) and query.get("wait") in range(2, 31):
        query["wait"] = 1
    return query
