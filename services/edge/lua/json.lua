-- Reads JSON as RFC 8259 has it, and nothing else: the transcoder's reader takes trailing commas, single quotes and more.
--
-- What is read: a string and true or false are themselves. The rest are tables: { fields = { {key, value}, ... } },
-- { items = { value, ... } }, { number = "1e3" } and NULL.

local MOST_DEPTH, MOST_VALUES = 64, 5000
local NULL = {}
local WORDS = { ["true"] = true, ["false"] = false, ["null"] = NULL }
local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
-- The bytes of a character in UTF-8 beyond ASCII (RFC 3629).
local CHARACTERS = {
  "^[\194-\223][\128-\191]", "^\224[\160-\191][\128-\191]", "^[\225-\236\238\239][\128-\191][\128-\191]",
  "^\237[\128-\159][\128-\191]", "^\240[\144-\191][\128-\191][\128-\191]",
  "^[\241-\243][\128-\191][\128-\191][\128-\191]", "^\244[\128-\143][\128-\191][\128-\191]",
}

local value
local left = 0 -- how many values there may still be

-- Ends the reading with what is wrong, and where, counted from 1.
local function broken(what, at)
  error({ json = ("%s at byte %d"):format(what, at) }, 0)
end

local function skip(text, at)
  return text:find("[^ \t\r\n]", at) or broken("it ends too early", #text + 1)
end

local function check_text(text)
  local at = text:find("[\128-\255]")
  while at do
    local last
    for _, pattern in ipairs(CHARACTERS) do
      _, last = text:find(pattern, at)
      if last then break end
    end
    at = text:find("[\128-\255]", (last or broken("there is no UTF-8", at)) + 1)
  end
end

local function utf8(code)
  if code < 0x80 then return string.char(code) end
  local rest, tail = "", code
  local first = code < 0x800 and 0xC0 or code < 0x10000 and 0xE0 or 0xF0
  repeat
    rest = string.char(0x80 + tail % 0x40) .. rest
    tail = math.floor(tail / 0x40)
  until tail < (first == 0xC0 and 0x20 or first == 0xE0 and 0x10 or 0x08)
  return string.char(first + tail) .. rest
end

-- What an escape stands for, and the position after it.
local function escape_at(text, at)
  local mark = text:sub(at + 1, at + 1)
  if mark ~= "u" then return ESCAPES[mark] or broken("there is no such escape", at), at + 2 end
  local code = tonumber(text:match("^%x%x%x%x", at + 2) or broken("there is no such escape", at), 16)
  if code < 0xD800 or code > 0xDFFF then return utf8(code), at + 6 end
  local low = code < 0xDC00 and text:match("^\\u([dD][c-fC-F]%x%x)", at + 6)
  if not low then broken("half a character is escaped", at) end
  return utf8(0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00), at + 12
end

-- A string, and the position after it.
local function string_at(text, at)
  local from, parts = at + 1, nil
  while true do
    local found = text:find('["\\%z\1-\31]', from) or broken("a string has no end", at)
    local mark = text:byte(found)
    if mark == 34 then
      local last = text:sub(from, found - 1)
      if parts then parts[#parts + 1] = last end
      return parts and table.concat(parts) or last, found + 1
    end
    if mark ~= 92 then broken("a control character is not escaped", found) end
    parts = parts or {}
    parts[#parts + 1] = text:sub(from, found - 1)
    parts[#parts + 1], from = escape_at(text, found)
  end
end

-- What stands between two brackets with commas between, each read by `part`, and the position after the last bracket.
local function list_at(text, at, close, part)
  local parts = {}
  at = skip(text, at + 1)
  if text:sub(at, at) == close then return parts, at + 1 end
  while true do
    parts[#parts + 1], at = part(at)
    at = skip(text, at)
    local mark = text:sub(at, at)
    if mark == close then return parts, at + 1 end
    if mark ~= "," then broken("a comma or " .. close .. " is missing", at) end
    at = skip(text, at + 1)
  end
end

local function object_at(text, at, depth)
  local fields, last = list_at(text, at, "}", function(from)
    if text:sub(from, from) ~= '"' then broken("a name in double quotes is missing", from) end
    local key, item
    key, from = string_at(text, from)
    from = skip(text, from)
    if text:sub(from, from) ~= ":" then broken("a colon is missing", from) end
    item, from = value(text, skip(text, from + 1), depth + 1)
    return { key, item }, from
  end)
  return { fields = fields }, last
end

local function array_at(text, at, depth)
  local items, last = list_at(text, at, "]", function(from) return value(text, from, depth + 1) end)
  return { items = items }, last
end

local function number_at(text, at)
  local last = select(2, text:find("^-?%d+", at))
  if not last or text:find("^-?0%d", at) then return nil end
  last = select(2, text:find("^%.%d+", last + 1)) or last
  last = select(2, text:find("^[eE][+-]?%d+", last + 1)) or last
  return { number = text:sub(at, last) }, last + 1
end

-- Any value, and the position after it.
function value(text, at, depth)
  left = left - 1
  if left < 0 then broken("there are more than " .. MOST_VALUES .. " values", at) end
  if depth > MOST_DEPTH then broken("it is nested too deep", at) end
  local mark = text:sub(at, at)
  if mark == "{" then return object_at(text, at, depth) end
  if mark == "[" then return array_at(text, at, depth) end
  if mark == '"' then return string_at(text, at) end
  local word = text:match("^%a+", at)
  if word and WORDS[word] ~= nil then return WORDS[word], at + #word end
  local number, after = number_at(text, at)
  if not number then broken("a value is missing", at) end
  return number, after
end

-- What a whole text says; or nil, and what is wrong with it.
local function read_json(text)
  local read, found = pcall(function()
    check_text(text)
    left = MOST_VALUES
    local whole, after = value(text, skip(text, 1), 0)
    local more = text:find("[^ \t\r\n]", after)
    if more then broken("there is more than one value", more) end
    return whole
  end)
  if read then return found end
  return nil, type(found) == "table" and found.json or "it is too much"
end
