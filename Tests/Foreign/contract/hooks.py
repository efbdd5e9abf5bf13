"""What JSON Schema cannot say of Doorstep's contract: cases that break it are not sent as good ones."""
import datetime

import schemathesis

# Of commands, names, and reasons.
BYTES = (64, 255, 1024)


# What `reference` does without.
FILTERS = {"phase", "restaurant", "flag", "open", "from", "to", "quiet"}


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
    lengths = [(len(text), len(text.encode("utf-8", "surrogatepass"))) for text in texts(value)]
    return not any(points <= limit < size for points, size in lengths for limit in BYTES)


def has_good_time(event):
    """An event's time needs an offset, which depends on its source, and lies at most a day ahead."""
    time = event.get("time") if isinstance(event, dict) else None
    if not isinstance(time, str):
        return True
    try:
        moment = datetime.datetime.fromisoformat(time)
        return "T" in time and moment.tzinfo is not None and moment < datetime.datetime.now(datetime.timezone.utc)
    except ValueError:
        return False


@schemathesis.hook
def filter_body(context, body):
    return fits(body) and has_good_time(body)


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return fits(path_parameters)


@schemathesis.hook
def filter_query(context, query):
    return fits(query)


@schemathesis.hook
def map_query(context, query):
    """Cursors are those of earlier answers; a search stands without filters; nobody waits long for what does not come."""
    if isinstance(query, dict):
        if "reference" in query:
            for name in FILTERS & query.keys():
                del query[name]
        if isinstance(query.get("after"), str):
            del query["after"]
        if query.get("wait") in range(2, 31):
            query["wait"] = 1
    return query


@schemathesis.hook
def filter_case(context, case):
    """With `application/json` an event is in its headers, which the document cannot ask for in one mode only."""
    if case.operation.definition.raw.get("operationId") != "postEvents" or case.media_type != "application/json":
        return True
    return "ce-id" in {name.lower() for name in case.headers or {}}
