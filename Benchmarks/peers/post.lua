-- One new event a request; `wrk ... -- KEY PREFIX` names the key and what its ids begin with.
local thread = 0
function setup(new)
  thread = thread + 1
  new:set("number", thread)
end

function init(arguments)
  prefix = arguments[2] .. number .. "-"
  count = 0
  headers = { Authorization = arguments[1], ["Content-Type"] = "application/cloudevents+json" }
end

function request()
  count = count + 1
  local order = prefix .. math.floor(count / 7)
  local body = '{"specversion":"1.0","id":"' .. prefix .. count .. '","source":"peer","type":"eta.changed","subject":"' .. order ..
    '","time":"2026-11-30T11:59:00Z","data":{"customer":"c-' .. order .. '","eta":"2026-11-30T12:20:00Z","restaurant":{"id":"r-7"}}}'
  return wrk.format("POST", "/v1/events", headers, body)
end

function done(summary)
  local errors = summary.errors
  local wrong = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("RESULT %d %d %d\n", summary.requests, wrong, summary.duration))
end
