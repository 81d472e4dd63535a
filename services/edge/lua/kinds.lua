-- Whether values are what the protos say: which fields there are, each at most once, and of the right kind.
--
-- TYPES: full name -> name of a field, in either spelling -> its kind, or "=" and the spelling that has it.
-- Kinds: "*kind" is a list, "%kind" a map, "#name" an enum, "?" an Any, a name with dots a message, else a word of SCALARS.
-- ENUMS: full name -> { name of a value = true, ... }. ONE_OF: full name -> field -> its oneof.

local MOST_FLAWS = 16
local URL = "type.googleapis.com/"
local LARGEST = { int32 = "2147483647", uint32 = "4294967295", int64 = "9223372036854775807", uint64 = "18446744073709551615" }
local LOWEST = { int32 = "2147483648", int64 = "9223372036854775808" }

local check

local function flaw(flaws, path, said)
  if #flaws < MOST_FLAWS then flaws[#flaws + 1] = { path, said } end
end

-- What a value is, in words.
local function word(found)
  if found == NULL then return "null" end
  if type(found) == "string" then return "a string" end
  if type(found) == "boolean" then return tostring(found) end
  return found.fields and "an object" or found.items and "a list" or "the number " .. found.number
end

-- The digits of a number, written out or as a string.
local function digits(found)
  local said = type(found) == "string" and found or type(found) == "table" and found.number
  return said and said:find("^-?%d") and not said:find("^-?0%d") and said
end

local function is_whole(found, kind)
  local said = digits(found)
  if not said then return false end
  local sign, plain = said:match("^(-?)(%d+)$")
  if not plain then -- such as 1e3 or 2.0
    local number = tonumber(said)
    if not number or number % 1 ~= 0 or math.abs(number) >= 2 ^ 53 then return false end
    sign, plain = number < 0 and "-" or "", ("%.0f"):format(math.abs(number))
  end
  local most = sign == "" and LARGEST[kind] or LOWEST[kind] or "0"
  return #plain < #most or #plain == #most and plain <= most
end

local function is_number(found, most)
  if found == "NaN" or found == "Infinity" or found == "-Infinity" then return true end
  local said = digits(found)
  -- Without a bound on its length the pattern would be tried from every digit on.
  if type(found) == "string" and not (said and #said < 64 and said:find("^-?%d+%.?%d*[eE]?[+-]?%d*$")) then return false end
  local number = said and tonumber(said)
  return number and math.abs(number) <= most
end

local function is_text(found) return type(found) == "string" end

local SCALARS = {
  bool = { function(found) return type(found) == "boolean" end, "true or false" },
  string = { is_text, "a string" },
  bytes = {
    function(found)
      local body = is_text(found) and found:match("^([%w+/_-]*)=?=?$")
      return body and #body % 4 ~= 1
    end,
    "a string of base64",
  },
  float = { function(found) return is_number(found, 3.4028235e38) end, "a number" },
  double = { function(found) return is_number(found, 1.7976931348623157e308) end, "a number" },
  duration = {
    function(found)
      local seconds = is_text(found) and (found:match("^-?(%d+)s$") or found:match("^-?(%d+)%.%d%d?%d?%d?%d?%d?%d?%d?%d?s$"))
      return seconds and tonumber(seconds) <= 315576000000
    end,
    'a string of seconds such as "1.5s"',
  },
  timestamp = {
    function(found) return is_text(found) and found:find("^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d") end,
    'a string such as "2026-11-30T12:00:00Z"',
  },
  mask = { is_text, "a string of fields with commas between" },
}
for kind in pairs(LARGEST) do
  SCALARS[kind] = { function(found) return is_whole(found, kind) end, "a whole number of " .. kind }
end

local function check_enum(found, name, path, flaws)
  if type(found) == "string" and ENUMS[name][found] or is_whole(found, "int32") then return end
  local names = {}
  for each in pairs(ENUMS[name]) do names[#names + 1] = each end
  table.sort(names)
  flaw(flaws, path, "is " .. (is_text(found) and "none of " .. table.concat(names, ", ") or word(found) .. ", not a string"))
end

local function check_list(found, kind, path, flaws)
  if not found.items then return flaw(flaws, path, "is " .. word(found) .. ", not a list") end
  for index, item in ipairs(found.items) do
    if #flaws >= MOST_FLAWS then return end
    local where = ("%s[%d]"):format(path, index - 1)
    if item == NULL then flaw(flaws, where, "is null") else check(item, kind, where, flaws) end
  end
end

-- The fields of an object: what each is called in the message, and whether it was there before under either spelling.
local function check_fields(found, name, path, flaws, within_any)
  local known, groups, seen, chosen = TYPES[name], ONE_OF[name] or {}, {}, {}
  for _, field in ipairs(found.fields) do
    local key, item = field[1], field[2]
    local where = path == "" and key or path .. "." .. key
    local kind = known[key]
    if kind and kind:sub(1, 1) == "=" then key = kind:sub(2) kind = known[key] end
    if within_any and key == "@type" then
      if seen[key] then flaw(flaws, where, "is there twice") end
    elseif not kind then
      flaw(flaws, where, "is no field of " .. name)
    elseif seen[key] then
      flaw(flaws, where, "is there twice")
    else
      check(item, kind, where, flaws)
    end
    seen[key] = true
    local group = item ~= NULL and groups[key]
    if group then
      local other = chosen[group]
      if other and other ~= key then flaw(flaws, where, "can't be there beside " .. other) end
      chosen[group] = key
    end
    if #flaws >= MOST_FLAWS then return end
  end
end

local function check_any(found, path, flaws)
  if #found.fields == 0 then return end
  local url
  for _, field in ipairs(found.fields) do
    if field[1] == "@type" then url = url or field[2] end
  end
  local name = is_text(url) and url:sub(1, #URL) == URL and url:sub(#URL + 1)
  if TYPES[name] then return check_fields(found, name, path, flaws, true) end
  if name and name:find("^google%.") then return end -- the transcoder knows these
  local where = path == "" and "@type" or path .. ".@type"
  flaw(flaws, where, url and "is no type that there is: they begin with " .. URL .. "monsters." or "is missing")
end

local function check_map(found, kind, path, flaws)
  local seen = {}
  for _, field in ipairs(found.fields) do
    local where = path .. "." .. field[1]
    if seen[field[1]] then flaw(flaws, where, "is there twice") else check(field[2], kind, where, flaws) end
    seen[field[1]] = true
  end
end

-- Look at one value, which has a place.
function check(found, kind, path, flaws)
  if found == NULL or kind == "" then return end -- null is absence, whatever the kind
  local mark, rest = kind:sub(1, 1), kind:sub(2)
  local scalar = SCALARS[kind]
  if scalar then
    if not scalar[1](found) then flaw(flaws, path, "is " .. word(found) .. ", not " .. scalar[2]) end
  elseif mark == "#" then
    check_enum(found, rest, path, flaws)
  elseif type(found) ~= "table" or found.number then
    flaw(flaws, path, "is " .. word(found) .. (mark == "*" and ", not a list" or ", not an object"))
  elseif mark == "*" then
    check_list(found, rest, path, flaws)
  elseif found.items then
    flaw(flaws, path, "is a list, not an object")
  elseif mark == "%" then
    check_map(found, rest, path, flaws)
  elseif mark == "?" then
    check_any(found, path, flaws)
  else
    check_fields(found, kind, path, flaws)
  end
end
