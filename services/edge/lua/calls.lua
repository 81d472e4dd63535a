-- What comes in as JSON, before the transcoder: refused where the transcoder would let it pass, or has no good words.
-- A call in JSON about a session says so in the header by which the servers are chosen, as one by gRPC does.
-- And what goes out: HEAD without a body, headers for browsers, and an error in the one body that every error has.
--
-- METHODS: { {pattern of a path, {VERB = {request = full name, takes_body = , streams = , in_path = {field = place}, session = place or 0}}}, ... }
-- MOST_HEADER_BYTES: of a call. PAGES: path -> true. BARE: code -> {HTTP status, body} of what a server says without saying why.

local MOST_TEXT = 200
local MOST_NAME = 100
local SPACE = "lair.edge"
local STREAM = "text/event-stream"

local function quote(text)
  if #text > MOST_TEXT then text = text:sub(1, MOST_TEXT):gsub("[\192-\255][\128-\191]*$", "") .. "..." end
  -- A query may have bytes that are no text.
  local odd = pcall(check_text, text) and '[%c"\\\127]' or '[%c"\\\127-\255]'
  return '"' .. text:gsub(odd, function(letter) return ("\\u%04x"):format(letter:byte()) end) .. '"'
end

local function remember(handle, what)
  handle:streamInfo():dynamicMetadata():set(SPACE, what, "yes")
end

-- Answer in the body that every error has: google.rpc.Status.
local function refuse(handle, status, code, domain, reason, message, more, headers)
  remember(handle, "said")
  headers = headers or {}
  headers[":status"] = status
  handle:respond(headers, ('{"code":%d,"message":%s,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",'
    .. '"reason":"%s","domain":"%s","metadata":{}}%s]}'):format(code, quote(message), reason, domain, more or ""))
end

local function refuse_fields(handle, flaws)
  local violations, sentences = {}, {}
  for index, each in ipairs(flaws) do
    violations[index] = ('{"field":%s,"description":%s}'):format(quote(each[1]), quote(each[2]))
    sentences[index] = (each[1] == "" and "the body" or each[1]) .. ": " .. each[2]
  end
  local more = ',{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[%s]}'
  refuse(handle, "400", 3, "monsters.rules.v1", "MALFORMED_REQUEST", table.concat(sentences, "; "),
    more:format(table.concat(violations, ",")))
end

local function refuse_verb(handle, path, verbs)
  local allowed = {}
  for verb in pairs(verbs) do
    allowed[#allowed + 1] = verb
    if verb == "GET" then allowed[#allowed + 1] = "HEAD" end
  end
  table.sort(allowed)
  allowed = table.concat(allowed, ", ")
  refuse(handle, "405", 12, "lair.edge", "VERB_NOT_ALLOWED", path .. " takes " .. allowed, nil, { allow = allowed })
end

-- Only what a page of somebody else can't send without asking first (CORS) may write.
local function wrong_media(headers)
  local sort, encoding = (headers:get("content-type") or ""):lower(), headers:get("content-encoding")
  if encoding and encoding:lower() ~= "identity" then return "a body that is compressed is not read" end
  if not (sort:match("^[^;]*"):find("^%s*application/json%s*$")) then return "send content-type: application/json" end
end

local function find_method(path)
  for _, method in ipairs(METHODS) do
    local captures = { path:match(method[1]) }
    if captures[1] then return method[2], captures end
  end
end

local function check_body(handle, call, captures, flaws)
  local body = handle:body()
  if not body or body:length() == 0 then return end
  if not call.takes_body then return flaw(flaws, "", "is not read: GET has none") end
  local found, broken = read_json(body:getBytes(0, body:length()))
  if broken then return flaw(flaws, "", "is no JSON: " .. broken) end
  check_path(found, call, captures, flaws)
  check(found, call.request, "", flaws)
  if found == NULL then flaw(flaws, "", "is null, not an object") end
end

-- Of a header each time that it comes; as HTTP/2 counts them (RFC 9113, section 6.5.2).
local function size_of(headers)
  local size = 0
  for name, value in pairs(headers) do size = size + #name + #value + 32 end
  return size
end

function envoy_on_request(handle)
  local headers = handle:headers()
  if headers:get("x-forwarded-proto") == "https" then remember(handle, "secure") end
  if size_of(headers) > MOST_HEADER_BYTES then return handle:respond({ [":status"] = "431" }, "") end
  if (headers:get("content-type") or ""):find("^application/grpc") then return end
  local path, query = headers:get(":path"):match("^([^?]*)%??(.*)$")
  local verb = headers:get(":method")
  if verb == "HEAD" then remember(handle, "head") end
  if PAGES[path] then
    if verb ~= "GET" and verb ~= "HEAD" then refuse_verb(handle, path, { GET = true }) end
    return
  end
  local verbs, captures = find_method(path)
  if not verbs then return refuse(handle, "404", 5, "lair.edge", "PATH_NOT_FOUND", "no method has the path " .. path) end
  local call = verbs[verb == "HEAD" and "GET" or verb]
  if not call then return refuse_verb(handle, path, verbs) end
  local wrong = verb ~= "GET" and verb ~= "HEAD" and wrong_media(headers)
  if wrong then return refuse(handle, "415", 3, "lair.edge", "UNSUPPORTED_MEDIA", wrong) end
  local session = captures[call.session]
  if session and #session <= MOST_NAME then headers:replace("lair-session", session) end
  local flaws = {}
  check_query(query, call, flaws)
  check_body(handle, call, captures, flaws)
  if #flaws > 0 then return refuse_fields(handle, flaws) end
  if verb ~= "HEAD" then return end
  -- A stream has no end that could be awaited: its headers are all that there is to say.
  if call.streams then return handle:respond({ [":status"] = "200", ["content-type"] = STREAM }, "unsent") end
  handle:headers():replace(":method", "GET")
end

-- What a server says without details, with them. Headers are to be had anew after each wait for a body.
local function mend(handle)
  local body = handle:body()
  local said = body and body:length() < 4096 and body:getBytes(0, body:length()) or ""
  local bare = said:find('"details":%[%]%s*}%s*$') and BARE[tonumber(said:match('^{"code":(%d+)'))]
  if not bare then return end
  body:setBytes(bare[2])
  handle:headers():replace(":status", bare[1])
end

-- Leaves what a body would be told by, and not the body.
local function empty(handle)
  local body = handle:body()
  if not body then return end
  local length = tostring(body:length())
  body:setBytes("")
  handle:headers():replace("content-length", length)
end

function envoy_on_response(handle)
  local headers = handle:headers()
  local sort = headers:get("content-type") or ""
  local known = handle:streamInfo():dynamicMetadata():get(SPACE) or {}
  if known.secure then headers:replace("strict-transport-security", "max-age=31536000") end
  if sort:find("^application/grpc") then return end
  headers:replace("x-content-type-options", "nosniff")
  headers:replace("referrer-policy", "no-referrer")
  headers:remove("grpc-status-details-bin")
  if sort == STREAM then
    if known.head then headers:remove("content-length") end
    return
  end
  if tonumber(headers:get(":status")) >= 400 and headers:get("x-envoy-upstream-service-time") then mend(handle) end
  if known.head then empty(handle) end
end
