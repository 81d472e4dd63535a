-- Refuses what the transcoder would let pass: fields that a message does not have, and verbs that a path does not take.
-- METHODS and TYPES stand before this text; they are rendered from the protos.
--
-- METHODS: { {pattern of a path, {VERB = full name of the request}}, ... }
-- TYPES: full name -> field -> kind. Kinds: "" has no fields, "?" is an Any, "%name" a map of messages, "name" a message.

local MOST_DEPTH, MOST_FLAWS, MOST_TEXT = 64, 16, 200
local ERROR = "the text is not JSON"
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local value

-- The position of the next character that is not white space.
local function skip(text, at)
  return text:find("[^ \t\r\n]", at) or error(ERROR)
end

local function unescape(mark, digits)
  if mark ~= "u" or #digits < 4 then return (ESCAPES[mark] or mark) .. digits end
  local code = tonumber(digits, 16)
  -- No name of ours has a character beyond ASCII: one that has is unknown anyway.
  return code < 128 and string.char(code) or "\\u" .. digits
end

-- A string, and the position after it.
local function string_at(text, at)
  local from = at + 1
  while true do
    local found = text:find('["\\]', from) or error(ERROR)
    if text:byte(found) == 34 then
      local raw = text:sub(at + 1, found - 1)
      return (raw:gsub("\\(.)(%x?%x?%x?%x?)", unescape)), found + 1
    end
    from = found + 2
  end
end

-- { fields = {{key, value}, ...} }, and the position after it.
local function object_at(text, at, depth)
  local fields = {}
  at = skip(text, at + 1)
  if text:sub(at, at) == "}" then return { fields = fields }, at + 1 end
  while true do
    if text:sub(at, at) ~= '"' then error(ERROR) end
    local key, item
    key, at = string_at(text, at)
    at = skip(text, at)
    if text:sub(at, at) ~= ":" then error(ERROR) end
    item, at = value(text, skip(text, at + 1), depth + 1)
    fields[#fields + 1] = { key, item }
    at = skip(text, at)
    local mark = text:sub(at, at)
    if mark == "}" then return { fields = fields }, at + 1 end
    if mark ~= "," then error(ERROR) end
    at = skip(text, at + 1)
  end
end

-- { items = {value, ...} }, and the position after it.
local function array_at(text, at, depth)
  local items = {}
  at = skip(text, at + 1)
  if text:sub(at, at) == "]" then return { items = items }, at + 1 end
  while true do
    local item
    item, at = value(text, at, depth + 1)
    items[#items + 1] = item
    at = skip(text, at)
    local mark = text:sub(at, at)
    if mark == "]" then return { items = items }, at + 1 end
    if mark ~= "," then error(ERROR) end
    at = skip(text, at + 1)
  end
end

-- Any JSON value, and the position after it. Numbers and the like are true: nobody asks what they are.
function value(text, at, depth)
  if depth > MOST_DEPTH then error(ERROR) end
  local mark = text:sub(at, at)
  if mark == "{" then return object_at(text, at, depth) end
  if mark == "[" then return array_at(text, at, depth) end
  if mark == '"' then return string_at(text, at) end
  local _, last = text:find("^[%w+.-]+", at)
  if not last then error(ERROR) end
  return true, last + 1
end

local function flaw(flaws, path, kind)
  flaws[#flaws + 1] = { path, "is no field of " .. kind }
end

-- Look for fields that the kind does not have.
local function check(found, kind, path, flaws)
  if type(found) ~= "table" or kind == "" or #flaws >= MOST_FLAWS then return end
  if found.items then
    for index, item in ipairs(found.items) do
      check(item, kind, path .. "[" .. (index - 1) .. "]", flaws)
    end
    return
  end
  local before = path == "" and "" or path .. "."
  if kind:sub(1, 1) == "%" then
    for _, field in ipairs(found.fields) do check(field[2], kind:sub(2), before .. field[1], flaws) end
    return
  end
  local any = kind == "?"
  if any then
    for _, field in ipairs(found.fields) do
      if field[1] == "@type" and type(field[2]) == "string" then kind = field[2]:match("[^/]*$") end
    end
  end
  local known = TYPES[kind]
  if not known then return end -- the transcoder says what it thinks of a type that nobody knows
  for _, field in ipairs(found.fields) do
    local inner = known[field[1]]
    if inner then
      check(field[2], inner, before .. field[1], flaws)
    elseif #flaws < MOST_FLAWS and not (any and field[1] == "@type") then
      flaw(flaws, before .. field[1], kind)
    end
  end
end

-- The same for the names in a query, such as ?options.first_seat=1.
local function check_query(query, kind, flaws)
  for name in query:gmatch("([^&=]+)[^&]*") do
    local inner = kind
    for part in name:gmatch("[^.]+") do
      local known = TYPES[inner]
      inner = known and known[part]
      if not inner and #flaws < MOST_FLAWS then
        flaw(flaws, name, kind)
        break
      end
    end
  end
end

local function quote(text)
  if #text > MOST_TEXT then text = text:sub(1, MOST_TEXT) .. "..." end
  return '"' .. text:gsub('[%c"\\\127-\255]', function(letter) return ("\\u%04x"):format(letter:byte()) end) .. '"'
end

-- Answer in the body that every error has: google.rpc.Status.
local function refuse(handle, status, code, domain, reason, message, more, headers)
  handle:streamInfo():dynamicMetadata():set("lair.edge", "said", "all")
  headers = headers or {}
  headers[":status"] = status
  handle:respond(headers, ('{"code":%d,"message":%s,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",'
    .. '"reason":"%s","domain":"%s","metadata":{}}%s]}'):format(code, quote(message), reason, domain, more or ""))
end

local function refuse_fields(handle, flaws)
  local violations, sentences = {}, {}
  for index, each in ipairs(flaws) do
    violations[index] = ('{"field":%s,"description":%s}'):format(quote(each[1]), quote(each[2]))
    sentences[index] = each[1] .. ": " .. each[2]
  end
  local more = ',{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[%s]}'
  refuse(handle, "400", 3, "monsters.rules.v1", "MALFORMED_REQUEST", table.concat(sentences, "; "),
    more:format(table.concat(violations, ",")))
end

function envoy_on_request(handle)
  local headers = handle:headers()
  local sort = headers:get("content-type")
  if sort and sort:find("^application/grpc") then return end
  local path, query = headers:get(":path"):match("^([^?]*)%??(.*)$")
  local verbs
  for _, method in ipairs(METHODS) do
    if path:find(method[1]) then verbs = method[2] break end
  end
  if not verbs then return end -- the transcoder says that there is no such path
  local kind = verbs[headers:get(":method")]
  if not kind then
    local allowed = {}
    for verb in pairs(verbs) do allowed[#allowed + 1] = verb end
    table.sort(allowed)
    allowed = table.concat(allowed, ", ")
    return refuse(handle, "405", 12, "lair.edge", "VERB_NOT_ALLOWED", path .. " takes " .. allowed, nil,
      { allow = allowed })
  end
  local flaws = {}
  check_query(query, kind, flaws)
  local body = handle:body()
  if body and body:length() > 0 then
    local read, found = pcall(function()
      local text = body:getBytes(0, body:length())
      return (value(text, skip(text, 1), 0))
    end)
    -- Text that is not JSON goes on: the transcoder says where it breaks.
    if read then check(found, kind, "", flaws) end
  end
  if #flaws > 0 then refuse_fields(handle, flaws) end
end
