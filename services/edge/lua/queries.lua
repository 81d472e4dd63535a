-- The fields of a request that come in its path and in its query, such as ?options.first_seat=1.

local function decode(text)
  return (text:gsub("+", " "):gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- The kind of a field by its path, and that path with the names that the message has.
local function find_field(name, kind)
  local parts = {}
  for part in (name .. "."):gmatch("([^.]*)%.") do
    local known = TYPES[kind]
    kind = known and known[part]
    if kind and kind:sub(1, 1) == "=" then part = kind:sub(2) kind = known[part] end
    if not kind then return nil end
    parts[#parts + 1] = part
  end
  return kind, table.concat(parts, ".")
end

local function check_query(query, call, flaws)
  local seen = {}
  for pair in query:gmatch("[^&]+") do
    local name, said = pair:match("^([^=]*)=?(.*)$")
    name, said = decode(name), decode(said)
    local kind, whole = find_field(name, call.request)
    if not kind then
      flaw(flaws, name, "is no field of " .. call.request)
    elseif call.takes_body then
      flaw(flaws, name, "belongs into the body")
    elseif call.in_path[whole] then
      flaw(flaws, name, "comes in the path")
    elseif seen[whole] and kind:sub(1, 1) ~= "*" then
      flaw(flaws, name, "is there twice")
    else
      local value = said
      if kind == "bool" and (said == "true" or said == "false") then value = said == "true" end
      check(value, kind:match("^%*(.*)$") or kind, name, flaws)
    end
    if whole then seen[whole] = true end
  end
end

-- Fields that come in the path may be in the body as well, when they say the same.
local function check_path(found, call, captures, flaws)
  for _, field in ipairs(type(found) == "table" and found.fields or {}) do
    local place = call.in_path[field[1]]
    if place and field[2] ~= decode(captures[place]) then flaw(flaws, field[1], "is another one in the path") end
  end
end
