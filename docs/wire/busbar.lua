-- Busbar's frames in Wireshark and tshark; docs/wire/looking.md says how to use it.
--
-- EtherType 0x88B5 is a frame with Busbar's header (header.md), 0x88B6 a frame that is one record
-- (records.md), as captures of shared memory have them. In UDP frames are recognised by what they
-- contain. Each frame gets the verdict that a node would give it (guards.md); a refused one is
-- marked as malformed. Records of a stream are shown in the frame in which they begin, when the
-- capture has the stream from its FIRST on. bus.md has the frames of the bus.
--
-- Runs on Lua 5.2 (Wireshark 3 and 4.0) to 5.4. Numbers of 64 bits are objects there.

local frame = Proto("busbar", "Busbar")
local single = Proto("busbar_record", "Busbar record")

local HEADER_BYTES = 32
local FIRST_BYTES, CONTROL_BYTES, SPAN_BYTES, DIAG_BYTES, RECORD_BYTES = 64, 48, 16, 40, 8
local BUS_BYTES, SYNC_BYTES, PROBE_BYTES, MEMBER_BYTES, CARD_BYTES = 16, 272, 40, 16, 24
local CARD_BYTES_MAX, CAST_BYTES, READER_BYTES = 1024, 32, 32
local CRC_BYTES, SEAL_BYTES = 4, 24
local SPANS_MAX, FRAME_BYTES_MIN, LENGTH_MAX = 64, 256, 0x7FFFFFFF - 15
local EVERYONE, VERSION, BUS = 0xFFFF, 1, 8
local STREAM = 1 -- the service whose bytes may be records
local HELD_MAX = 64 -- frames that are kept for a stream while one before them is missing

local formats = { "FIRST", "DATA", "CNTL", "ECNTL", "DIAG", "TCNTL", "ECHO" }
for i, name in ipairs({ "HELLO", "SYNC", "VIEW", "NEWS", "PROBE", "ANSWER", "CAST", "CASTC" }) do
  formats[BUS + i - 1] = name
end
local services = { "STREAM", "DATAGRAM" }
local diagnoses = { "NO_LISTENER", "REFUSED", "UNKNOWN_KEY", "WRONG_INCARNATION", "VERSION",
  "CHALLENGE", "CONFIRM", "BUSY" }
local states = { "ALIVE", "SUSPECTED", "DEAD", "LEFT" }
local sayings = { "STATUS", "NAK", "POLL", "WELCOME", "EVICT", "JOIN" } -- of CASTC
local kinds = { "WHOLE", "START", "WORDS", "CREDIT", "BODY", "BODY_DONE", "ALIVE" }
local options = { -- by bit
  [0] = "SREQ", "EOM", "WCLOSE", "RCLOSE", "END", "RTN", "REPAIR", [14] = "CRC", [15] = "SEAL" }
local meanings = {
  SREQ = "Status is asked for", EOM = "A message ends here", WCLOSE = "The sender's stream ends",
  RCLOSE = "The sender takes nothing more", END = "The association dissolves",
  RTN = "The key is the receiver's", REPAIR = "Sent before", CRC = "Checksum follows",
  SEAL = "Seal follows" }
local refused = { -- options that a format must not have
  FIRST = { "END", "RTN" }, DATA = {},
  CNTL = { "EOM", "REPAIR" }, ECNTL = { "EOM", "REPAIR" }, DIAG = { "EOM", "REPAIR" },
  ECHO = { "EOM", "REPAIR" } }

-- Fields.

local f, all = {}, {}
local function field(name, make, label, ...)
  local made = make("busbar." .. name, label, ...)
  f[name] = made
  all[#all + 1] = made
end
field("version", ProtoField.uint8, "Version", base.DEC, nil, 0xF0)
field("format", ProtoField.uint8, "Format", base.DEC, formats, 0x0F)
field("proto", ProtoField.uint8, "Proto")
field("length", ProtoField.uint16, "Length")
field("to", ProtoField.uint16, "To")
field("from", ProtoField.uint16, "From")
field("key", ProtoField.uint64, "Key", base.HEX)
field("key.index", ProtoField.uint24, "Index")
field("key.generation", ProtoField.uint16, "Generation")
field("key.incarnation", ProtoField.uint24, "Bits of the maker's incarnation", base.HEX)
field("seq", ProtoField.int64, "Sequence")
field("rseq", ProtoField.uint32, "Received, low 32 bits")
field("credit", ProtoField.uint16, "Credit, units of 256 bytes")
field("credit.bytes", ProtoField.uint32, "Credit in bytes")
field("options", ProtoField.uint16, "Options", base.HEX)
for bit, name in pairs(options) do
  field("options." .. name:lower(), ProtoField.bool, name, 16, { meanings[name], "no" }, 2 ^ bit)
end
field("options.reserved", ProtoField.uint16, "Reserved", base.HEX, nil, 0x3F80)
field("first.version_min", ProtoField.uint8, "Lowest version")
field("first.version_max", ProtoField.uint8, "Highest version")
field("first.service", ProtoField.uint8, "Service", base.DEC, services)
field("first.words", ProtoField.uint8, "Words of the block")
field("first.frame_max", ProtoField.int32, "Longest frame")
field("first.cluster", ProtoField.uint64, "Cluster", base.HEX)
field("first.source_incarnation", ProtoField.uint64, "Source incarnation", base.HEX)
field("first.dest_incarnation", ProtoField.uint64, "Destination incarnation", base.HEX)
field("first.serial", ProtoField.int64, "Serial")
field("first.source_port", ProtoField.uint32, "Source port")
field("first.dest_port", ProtoField.uint32, "Destination port")
field("first.ack_delay", ProtoField.int32, "Acknowledgement delay in us")
field("first.status_every", ProtoField.uint16, "Status every so many packets")
field("first.reserved", ProtoField.uint16, "Reserved", base.HEX)
field("first.tag", ProtoField.uint64, "Tag", base.HEX)
field("control.rseq", ProtoField.int64, "Received")
field("control.alloc", ProtoField.int64, "May send to")
field("control.key", ProtoField.uint64, "The sender's own key", base.HEX)
field("control.sync", ProtoField.uint32, "Sync")
field("control.echo", ProtoField.uint32, "Echo")
field("control.held", ProtoField.int32, "Held back for ns")
field("control.ack_delay", ProtoField.int32, "Acknowledgement delay in us")
field("control.newest", ProtoField.int64, "Newest")
field("span.from", ProtoField.int64, "From")
field("span.to", ProtoField.int64, "To")
field("diag.code", ProtoField.uint16, "Code", base.DEC, diagnoses)
field("diag.version_min", ProtoField.uint8, "Lowest version")
field("diag.version_max", ProtoField.uint8, "Highest version")
field("diag.detail", ProtoField.int32, "Detail")
field("diag.cluster", ProtoField.uint64, "Cluster", base.HEX)
field("diag.incarnation", ProtoField.uint64, "Incarnation", base.HEX)
field("diag.peer_incarnation", ProtoField.uint64, "Peer incarnation", base.HEX)
field("diag.serial", ProtoField.uint64, "Serial or nonce", base.DEC)
field("record.length", ProtoField.uint32, "Length")
field("record.kind", ProtoField.uint8, "Kind", base.DEC, kinds)
field("record.flags", ProtoField.uint8, "Flags", base.HEX)
field("record.handler", ProtoField.uint16, "Handler")
field("record.payload", ProtoField.bytes, "Payload")
field("record.word", ProtoField.int32, "Word")
field("record.size", ProtoField.int64, "Size, -1 when not known")
field("record.body.channel", ProtoField.uint16, "Channel")
field("record.body.number", ProtoField.uint64, "Body", base.DEC)
field("record.credit", ProtoField.int64, "Bytes dealt with")
field("record.padding", ProtoField.bytes, "Padding")
field("bus.hash", ProtoField.uint64, "Hash of the view", base.HEX)
field("bus.members", ProtoField.uint32, "Members")
field("bus.flags", ProtoField.uint32, "Flags", base.HEX)
field("bus.flags.asks", ProtoField.bool, "ASKS", 32, { "An answer is asked for", "no" }, 1)
field("bus.flags.claims", ProtoField.bool, "CLAIMS", 32, { "The id is claimed", "no" }, 2)
field("bus.class", ProtoField.uint32, "Hash of a class", base.HEX)
field("bus.nonce", ProtoField.uint64, "Nonce", base.HEX)
field("bus.origin", ProtoField.uint16, "Origin")
field("bus.target", ProtoField.uint16, "Target")
field("bus.zero", ProtoField.uint32, "Zero", base.HEX)
field("bus.target_life", ProtoField.uint64, "Target life", base.HEX)
field("member.id", ProtoField.uint16, "Id")
field("member.state", ProtoField.uint8, "State", base.DEC, states)
field("member.zero", ProtoField.uint8, "Zero", base.HEX)
field("member.edition", ProtoField.int32, "Edition")
field("member.life", ProtoField.uint64, "Life", base.HEX)
field("card.length", ProtoField.uint16, "Length of the card")
field("card.addresses", ProtoField.uint8, "Addresses")
field("card.attributes", ProtoField.uint8, "Attributes")
field("card.zero", ProtoField.uint32, "Zero", base.HEX)
field("card.name", ProtoField.string, "Name")
field("card.host", ProtoField.string, "Host")
field("card.address", ProtoField.string, "Address")
field("card.key", ProtoField.string, "Key")
field("card.value", ProtoField.string, "Value")
field("card.padding", ProtoField.bytes, "Padding")
field("cast.frame", ProtoField.int64, "Number of the frame")
field("cast.oldest", ProtoField.uint32, "Oldest frame that is held, low 32 bits")
field("cast.asked", ProtoField.uint16, "Reader that is to answer")
field("cast.kind", ProtoField.uint8, "Kind", base.DEC, sayings)
field("cast.zero", ProtoField.uint8, "Zero", base.HEX)
field("cast.count", ProtoField.uint16, "Entries")
field("cast.token", ProtoField.uint32, "Token", base.HEX)
field("cast.seq", ProtoField.int64, "First frame that has not come, or not been sent")
field("cast.limit", ProtoField.int64, "Limit, or oldest frame that is held")
field("cast.group", ProtoField.uint64, "Group", base.HEX)
field("reader.id", ProtoField.uint64, "Id", base.DEC)
field("reader.life", ProtoField.uint64, "Life", base.HEX)
field("reader.start", ProtoField.int64, "Begins at frame")
field("reader.message", ProtoField.int64, "Begins at message")
field("data", ProtoField.bytes, "Data")
field("crc", ProtoField.uint32, "Checksum", base.HEX)
field("crc.status", ProtoField.string, "Checksum status")
field("seal.counter", ProtoField.uint64, "Counter", base.DEC)
field("seal.tag", ProtoField.bytes, "Tag")
field("padding", ProtoField.bytes, "Padding of the carrier")
field("verdict", ProtoField.string, "Verdict")
frame.fields = all

local malformed = ProtoExpert.new("busbar.refused", "A node would refuse this frame",
  expert.group.MALFORMED, expert.severity.ERROR)
local broken = ProtoExpert.new("busbar.record.broken", "No record can begin so",
  expert.group.MALFORMED, expert.severity.ERROR)
local diagnosis = ProtoExpert.new("busbar.diag", "A diagnosis",
  expert.group.RESPONSE_CODE, expert.severity.NOTE)
frame.experts = { malformed, broken, diagnosis }

frame.prefs.crc = Pref.bool("Check checksums", true, "Sum every frame that has one")
frame.prefs.lane = Pref.uint("Proto of streams of records", 1,
  "The number that the header has for streams whose bytes are records")

-- Numbers.

local function bit_of(number, bit) return math.floor(number / 2 ^ bit) % 2 == 1 end

local function has(word, name)
  for bit, option in pairs(options) do
    if option == name then return bit_of(word, bit) end
  end
  return false
end

local function names(word)
  local text = {}
  for bit = 0, 15 do
    if bit_of(word, bit) then text[#text + 1] = options[bit] or ("bit" .. bit) end
  end
  return #text == 0 and "-" or table.concat(text, "|")
end

local function is_negative(tvb, at) return tvb(at + 7, 1):uint() >= 0x80 end
-- Whether the number of a frame or a message cannot be: it has 57 bits or more.
local function is_beyond(tvb, at) return tvb(at + 7, 1):uint() ~= 0 end
local function is_zero(tvb, at) return tvb(at, 4):le_uint() == 0 and tvb(at + 4, 4):le_uint() == 0 end

-- A position in a stream as a number: exact up to 2^53, which no capture reaches.
local function position(tvb, at)
  return tvb(at, 4):le_uint() + tvb(at + 4, 4):le_uint() * 2 ^ 32
end

local function guard_bytes(word)
  return (has(word, "CRC") and CRC_BYTES or 0) + (has(word, "SEAL") and SEAL_BYTES or 0)
end

-- The xor of this Lua: a library up to 5.2, an operator from 5.3 on.
local xor = bit32 and bit32.bxor or load("return function(a, b) return a ~ b end")()

local crc_table = {}
for i = 0, 255 do
  local word = i
  for _ = 1, 8 do
    local half = math.floor(word / 2)
    word = word % 2 == 1 and xor(half, 0x82F63B78) or half
  end
  crc_table[i] = word
end

local function crc32c(text)
  local sum = 0xFFFFFFFF
  for i = 1, #text do
    sum = xor(math.floor(sum / 256), crc_table[xor(sum % 256, text:byte(i))])
  end
  return xor(sum, 0xFFFFFFFF)
end

-- What a node says of a frame, in the order of guards.md; SEALED where only a key would tell, and
-- NOT_CAPTURED where the capture has too little of it. Neither is the frame's fault.

local unjudged = { SEALED = " sealed", NOT_CAPTURED = " not captured to its end" }

local block_checks = {}

function block_checks.FIRST(tvb, at, length)
  if length < FIRST_BYTES then return "BLOCK" end
  local sound = tvb(at + 3, 1):uint() == FIRST_BYTES / 8
    and tvb(at, 1):uint() <= VERSION and tvb(at + 1, 1):uint() >= VERSION
    and tvb(at + 54, 2):le_uint() == 0
    and not is_zero(tvb, at + 16)
    and not is_zero(tvb, at + 32) and not is_negative(tvb, at + 32)
    and tvb(at + 52, 2):le_uint() > 0
    and tvb(at + 48, 4):le_int() >= 0
    and tvb(at + 4, 4):le_int() >= FRAME_BYTES_MIN
  return sound and "OK" or "BLOCK"
end

local function check_control(tvb, at)
  if is_negative(tvb, at) or is_negative(tvb, at + 40)
    or tvb(at + 8, 8):le_int64() < tvb(at, 8):le_int64() then
    return "SEQUENCE"
  end
  local sound = tvb(at + 32, 4):le_int() >= 0 and tvb(at + 36, 4):le_int() >= 0
  return sound and "OK" or "BLOCK"
end

function block_checks.CNTL(tvb, at, length)
  if length ~= CONTROL_BYTES then return "BLOCK" end
  return check_control(tvb, at)
end

function block_checks.ECNTL(tvb, at, length)
  if length <= CONTROL_BYTES then return "BLOCK" end
  local verdict = check_control(tvb, at)
  if verdict ~= "OK" then return verdict end
  local spans = (length - CONTROL_BYTES) / SPAN_BYTES
  if spans > SPANS_MAX or spans % 1 ~= 0 then return "SPANS" end
  local edge = tvb(at, 8):le_int64()
  for i = 0, spans - 1 do
    local span = at + CONTROL_BYTES + i * SPAN_BYTES
    local from, to = tvb(span, 8):le_int64(), tvb(span + 8, 8):le_int64()
    if from <= edge or to <= from then return "SPANS" end
    edge = to
  end
  return "OK"
end

function block_checks.DIAG(tvb, at, length)
  if length ~= DIAG_BYTES then return "BLOCK" end
  local sound = diagnoses[tvb(at, 2):le_uint()] ~= nil
    and tvb(at + 2, 1):uint() <= tvb(at + 3, 1):uint()
    and not is_zero(tvb, at + 16)
  return sound and "OK" or "BLOCK"
end

-- Whether a text is UTF-8; the second byte of a letter has limits of its own.
local seconds = { [0xE0] = { 0xA0, 0xBF }, [0xED] = { 0x80, 0x9F }, [0xF0] = { 0x90, 0xBF },
  [0xF4] = { 0x80, 0x8F } }
local function is_text(text)
  local i = 1
  while i <= #text do
    local first = text:byte(i)
    local more = first < 0x80 and 0 or first < 0xC2 and 9 or first < 0xE0 and 1
      or first < 0xF0 and 2 or first < 0xF5 and 3 or 9
    if i + more > #text then return false end
    local limits = seconds[first] or { 0x80, 0xBF }
    for at = i + 1, i + more do
      local byte = text:byte(at)
      if byte < limits[1] or byte > limits[2] then return false end
      limits = { 0x80, 0xBF }
    end
    i = i + more + 1
  end
  return true
end

local function text_of(tvb, at)
  local length = tvb(at, 1):uint()
  return length == 0 and "" or tvb:raw(at + 1, length), at + 1 + length
end

local function is_member(tvb, at)
  return tvb(at, 2):le_uint() ~= EVERYONE and states[tvb(at + 2, 1):uint()] ~= nil
    and tvb(at + 3, 1):uint() == 0 and tvb(at + 4, 4):le_int() >= 0 and not is_zero(tvb, at + 8)
end

local function are_members(tvb, at, finish)
  if (finish - at) % MEMBER_BYTES ~= 0 then return false end
  for member = at, finish - 1, MEMBER_BYTES do
    if not is_member(tvb, member) then return false end
  end
  return true
end

local function is_card(tvb, at, finish)
  if finish - at < CARD_BYTES then return false end
  local length = tvb(at + 16, 2):le_uint()
  if length < CARD_BYTES or length > CARD_BYTES_MAX or length % 8 ~= 0 or length > finish - at
    or not is_member(tvb, at) or tvb(at + 20, 4):le_uint() ~= 0 then
    return false
  end
  local text, next = 0, at + CARD_BYTES
  for _ = 1, 2 + tvb(at + 18, 1):uint() + 2 * tvb(at + 19, 1):uint() do
    if next >= at + length or next + 1 + tvb(next, 1):uint() > at + length then return false end
    text, next = text_of(tvb, next)
    if not is_text(text) then return false end
  end
  return at + length - next < 8
end

-- How many cards there are; -1 when they are not sound.
local function cards(tvb, at, finish)
  local count = 0
  while at < finish do
    if not is_card(tvb, at, finish) then return -1 end
    at = at + tvb(at + 16, 2):le_uint()
    count = count + 1
  end
  return count
end

local function is_cast_control(tvb, at, length)
  if length < CAST_BYTES or is_zero(tvb, 16) then return false end
  local kind, count = sayings[tvb(at, 1):uint()], tvb(at + 2, 2):le_uint()
  local entry = kind == "NAK" and SPAN_BYTES or READER_BYTES
  if not kind or tvb(at + 1, 1):uint() ~= 0 or length ~= CAST_BYTES + count * entry
    or is_beyond(tvb, at + 8) or is_beyond(tvb, at + 16) then
    return false
  end
  for span = at + CAST_BYTES, kind == "NAK" and at + length - 1 or 0, SPAN_BYTES do
    if is_beyond(tvb, span) or is_beyond(tvb, span + 8)
      or tvb(span + 8, 8):le_int64() <= tvb(span, 8):le_int64() then
      return false
    end
  end
  for reader = at + CAST_BYTES, kind ~= "NAK" and at + length - 1 or 0, READER_BYTES do
    if is_beyond(tvb, reader + 16) or is_beyond(tvb, reader + 24) then return false end
  end
  return true
end

local bus_checks = { -- whether the payload is sound
  HELLO = function(tvb, at, finish) return cards(tvb, at + BUS_BYTES, finish) == 1 end,
  SYNC = function(_, at, finish) return finish - at == SYNC_BYTES end,
  VIEW = function(tvb, at, finish) return cards(tvb, at + BUS_BYTES, finish) >= 0 end,
  NEWS = function(tvb, at, finish) return are_members(tvb, at + BUS_BYTES, finish) end,
  PROBE = function(tvb, at, finish)
    return finish - at >= PROBE_BYTES and are_members(tvb, at + PROBE_BYTES, finish)
  end,
  CASTC = function(tvb, at, finish) return is_cast_control(tvb, at, finish - at) end,
  CAST = function(tvb) return not is_beyond(tvb, 16) end }
bus_checks.ANSWER = bus_checks.PROBE

local function judge_bus(tvb, name, length, word)
  for bit, option in pairs(options) do
    local allowed = option == "CRC" or option == "REPAIR" and name == "CAST"
    if bit_of(word, bit) and not allowed then return "OPTIONS" end
  end
  local is_cast = name == "CAST" or name == "CASTC"
  if not is_cast and (length < BUS_BYTES or is_zero(tvb, 16)) then return "BLOCK" end
  return bus_checks[name](tvb, HEADER_BYTES, HEADER_BYTES + length) and "OK" or "BLOCK"
end

-- Whether so many bytes are there; whoever captured may have kept fewer than there were.
local function presence(tvb, bytes)
  if bytes <= tvb:len() then return nil end
  return bytes <= tvb:reported_len() and "NOT_CAPTURED" or "TRUNCATED"
end

local function judge(tvb)
  local missing = presence(tvb, HEADER_BYTES)
  if missing then return missing end
  local format = tvb(0, 1):uint() % 16
  if math.floor(tvb(0, 1):uint() / 16) ~= VERSION then return "VERSION" end
  local word, length = tvb(30, 2):le_uint(), tvb(2, 2):le_uint()
  for bit = 0, 15 do
    if bit_of(word, bit) and not options[bit] then return "OPTIONS" end
  end
  missing = presence(tvb, HEADER_BYTES + length + guard_bytes(word))
  if missing then return missing end
  if tvb(6, 2):le_uint() == EVERYONE then return "NODES" end
  if has(word, "SEAL") then return "SEALED" end
  if has(word, "CRC") and frame.prefs.crc then
    local sum = crc32c(tvb:raw(0, HEADER_BYTES + length))
    if sum ~= tvb(HEADER_BYTES + length, 4):le_uint() then return "CRC_WRONG" end
  end
  local name = formats[format]
  if format >= BUS then return judge_bus(tvb, name, length, word) end
  if not name or not refused[name] then return "FORMAT" end
  for _, option in ipairs(refused[name]) do
    if has(word, option) then return "OPTIONS" end
  end
  if tvb(4, 2):le_uint() == EVERYONE then return "NODES" end
  if is_negative(tvb, 16) or tvb(16, 8):le_int64() > Int64.max() - Int64.new(length) then
    return "SEQUENCE"
  end
  local check = block_checks[name]
  return check and check(tvb, HEADER_BYTES, length) or "OK"
end

-- Streams: where records begin. An association has two ends, named by the node that made the key
-- and the key; CNTL says which two belong together. Each way is a stream: the positions at which
-- records began so far, in order, and what is needed to find the next one.

local ends

function frame.init() ends = {} end

local function stream() return { heads = {}, next = 0, have = "", held = {}, broken = false } end

-- Finds heads in bytes that continue the stream; whether there were any.
local function advance(s, seq, bytes)
  local moved = false
  local want = s.next + #s.have
  while not s.broken and want >= seq and want < seq + #bytes do
    moved = true
    if s.have == "" then s.heads[#s.heads + 1] = s.next end
    local from = want - seq + 1
    s.have = s.have .. bytes:sub(from, from + RECORD_BYTES - #s.have - 1)
    if #s.have == RECORD_BYTES then
      local a, b, c, d, kind = s.have:byte(1, 5)
      local length = a + b * 2 ^ 8 + c * 2 ^ 16 + d * 2 ^ 24
      s.broken = not kinds[kind] or length > LENGTH_MAX
      s.next = s.next + RECORD_BYTES + length + -length % 8
      s.have = ""
    end
    want = s.next + #s.have
  end
  return moved
end

local function follow(s, seq, bytes)
  if seq > s.next + #s.have and #s.held < HELD_MAX then
    s.held[#s.held + 1] = { seq, bytes }
  end
  local moved = advance(s, seq, bytes)
  while moved do
    moved = false
    for i = #s.held, 1, -1 do
      local one = s.held[i]
      if advance(s, one[1], one[2]) then moved = true end
      if one[1] + #one[2] <= s.next + #s.have then table.remove(s.held, i) end
    end
  end
end

-- The first head at or behind a position: its index.
local function first_head(s, at)
  local low, high = 1, #s.heads + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if s.heads[middle] < at then low = middle + 1 else high = middle end
  end
  return low
end

local function end_name(maker, tvb, at) return maker .. ":" .. tostring(tvb(at, 8):bytes()) end

-- The association of a frame, nil when its beginning is not in the capture.
local function association(tvb, name, word)
  local to, from = tvb(4, 2):le_uint(), tvb(6, 2):le_uint()
  local own = end_name(has(word, "RTN") and to or from, tvb, 8)
  local found = ends[own]
  if name == "FIRST" and not found then
    found = { service = tvb(HEADER_BYTES + 2, 1):uint(), proto = tvb(1, 1):uint(),
      [from] = stream(), [to] = stream() }
    ends[own] = found
  elseif found and (name == "CNTL" or name == "ECNTL") then
    ends[end_name(from, tvb, HEADER_BYTES + 16)] = found
  end
  return found
end

-- Trees.

local function add(tree, name, tvb, at, bytes) return tree:add_le(f[name], tvb(at, bytes)) end

local function add_key(tree, name, tvb, at)
  local key = add(tree, name, tvb, at, 8)
  local index = add(key, "key.index", tvb, at, 3)
  local generation = add(key, "key.generation", tvb, at + 3, 2)
  local bits = add(key, "key.incarnation", tvb, at + 5, 3)
  for _, part in ipairs({ index, generation, bits }) do part:set_generated(true) end
end

local function key_text(tvb, at)
  return string.format("%d.%d.%06x", tvb(at, 3):le_uint(), tvb(at + 3, 2):le_uint(),
    tvb(at + 5, 3):le_uint())
end

local function add_header(tree, tvb)
  local head = tree:add(frame, tvb(0, HEADER_BYTES), "Header")
  head:add(f.version, tvb(0, 1))
  head:add(f.format, tvb(0, 1))
  add(head, "proto", tvb, 1, 1)
  add(head, "length", tvb, 2, 2)
  add(head, "to", tvb, 4, 2)
  add(head, "from", tvb, 6, 2)
  add_key(head, "key", tvb, 8)
  add(head, "seq", tvb, 16, 8)
  add(head, "rseq", tvb, 24, 4)
  add(head, "credit", tvb, 28, 2)
  head:add(f["credit.bytes"], tvb(28, 2), tvb(28, 2):le_uint() * 256):set_generated(true)
  local word = tvb(30, 2):le_uint()
  local bits = add(head, "options", tvb, 30, 2)
  bits:append_text(" (" .. names(word) .. ")")
  for bit = 0, 15 do
    if options[bit] then add(bits, "options." .. options[bit]:lower(), tvb, 30, 2) end
  end
  add(bits, "options.reserved", tvb, 30, 2)
end

-- Adds the rows of a layout: name and bytes, in order.
local function add_rows(tree, prefix, tvb, at, rows)
  for _, row in ipairs(rows) do
    add(tree, prefix .. row[1], tvb, at, row[2])
    at = at + row[2]
  end
end

local first_rows = { { "version_min", 1 }, { "version_max", 1 }, { "service", 1 }, { "words", 1 },
  { "frame_max", 4 }, { "cluster", 8 }, { "source_incarnation", 8 }, { "dest_incarnation", 8 },
  { "serial", 8 }, { "source_port", 4 }, { "dest_port", 4 }, { "ack_delay", 4 },
  { "status_every", 2 }, { "reserved", 2 }, { "tag", 8 } }
local control_rows = { { "rseq", 8 }, { "alloc", 8 }, { "key", 8 }, { "sync", 4 }, { "echo", 4 },
  { "held", 4 }, { "ack_delay", 4 }, { "newest", 8 } }
local diag_rows = { { "code", 2 }, { "version_min", 1 }, { "version_max", 1 }, { "detail", 4 },
  { "cluster", 8 }, { "incarnation", 8 }, { "peer_incarnation", 8 }, { "serial", 8 } }
local bus_rows = { { "hash", 8 }, { "members", 4 } }
local probe_rows = { { "nonce", 8 }, { "origin", 2 }, { "target", 2 }, { "zero", 4 },
  { "target_life", 8 } }
local member_rows = { { "id", 2 }, { "state", 1 }, { "zero", 1 }, { "edition", 4 }, { "life", 8 } }
local card_rows = { { "length", 2 }, { "addresses", 1 }, { "attributes", 1 }, { "zero", 4 } }
local cast_rows = { { "kind", 1 }, { "zero", 1 }, { "count", 2 }, { "token", 4 }, { "seq", 8 },
  { "limit", 8 }, { "group", 8 } }
local reader_rows = { { "id", 8 }, { "life", 8 }, { "start", 8 }, { "message", 8 } }
local span_rows = { { "from", 8 }, { "to", 8 } }
local record_rows = { { "length", 4 }, { "kind", 1 }, { "flags", 1 }, { "handler", 2 } }

local function add_body(tree, tvb, at)
  add(tree, "record.body.number", tvb, at, 6)
  add(tree, "record.body.channel", tvb, at + 6, 2)
end

-- A record whose header is whole, with as much of its payload as there is; its kind and length.
local function add_record(tree, tvb, at, available)
  local length, kind = tvb(at, 4):le_uint(), tvb(at + 4, 1):uint()
  local name = kinds[kind] or "?" .. kind
  local here = math.min(length, available - RECORD_BYTES)
  local row = tree:add(frame, tvb(at, RECORD_BYTES + here), "Record " .. name)
  add_rows(row, "record.", tvb, at, record_rows)
  if not kinds[kind] or length > LENGTH_MAX then
    row:add_proto_expert_info(broken)
    return name, length
  end
  row:append_text(", " .. length .. " bytes")
  local payload = at + RECORD_BYTES
  if here < length then row:append_text(", not all of it in this frame") end
  if here == 0 then return name, length end
  add(row, "record.payload", tvb, payload, here)
  if here == length then
    if name == "WORDS" and length == 16 then
      for i = 0, 12, 4 do add(row, "record.word", tvb, payload + i, 4) end
    elseif name == "START" and length == 16 then
      add(row, "record.size", tvb, payload, 8)
      add_body(row, tvb, payload + 8)
    elseif name == "CREDIT" and length == 8 then
      add(row, "record.credit", tvb, payload, 8)
    elseif name == "BODY_DONE" and length == 8 then
      add_body(row, tvb, payload)
    end
    local padding = math.min(-length % 8, available - RECORD_BYTES - here)
    if padding > 0 then add(row, "record.padding", tvb, payload + here, padding) end
  end
  return name, length
end

-- The bytes of a stream that a frame carries, cut into records where that is known.
local function add_data(tree, tvb, at, length, assoc)
  if length == 0 then return "" end
  local from = tvb(6, 2):le_uint()
  local s = assoc and assoc.service == STREAM and assoc.proto == frame.prefs.lane and assoc[from]
  if not s then
    add(tree, "data", tvb, at, length)
    return ""
  end
  local seq = position(tvb, 16)
  follow(s, seq, tvb:raw(at, length))
  local found, done = {}, 0
  for i = first_head(s, seq), #s.heads do
    local head = s.heads[i] - seq
    if head >= length then break end
    if head > done and i == first_head(s, seq) then add(tree, "data", tvb, at, head) end
    if length - head < RECORD_BYTES then
      add(tree, "data", tvb, at + head, length - head):append_text(" (a record begins)")
      done = length
    else
      local name, bytes = add_record(tree, tvb, at + head, length - head)
      found[#found + 1] = name
      done = math.min(length, head + RECORD_BYTES + bytes + -bytes % 8)
    end
  end
  if done == 0 then add(tree, "data", tvb, at, length) end
  return #found > 0 and " {" .. table.concat(found, " ") .. "}" or ""
end

local function add_guards(tree, tvb, at, word, verdict)
  if has(word, "CRC") then
    local status = verdict == "CRC_WRONG" and "wrong"
      or (frame.prefs.crc and not has(word, "SEAL")) and "right" or "not checked"
    add(tree, "crc", tvb, at, CRC_BYTES):append_text(" (" .. status .. ")")
    tree:add(f["crc.status"], tvb(at, CRC_BYTES), status):set_generated(true)
    at = at + CRC_BYTES
  end
  if has(word, "SEAL") then
    local seal = tree:add(frame, tvb(at, SEAL_BYTES), "Seal")
    add(seal, "seal.counter", tvb, at, 8)
    add(seal, "seal.tag", tvb, at + 8, 16)
    at = at + SEAL_BYTES
  end
  return at
end

-- A member, or with its card; where it ends, and how it is called in short.
local function add_member(tree, tvb, at)
  local row = tree:add(frame, tvb(at, MEMBER_BYTES), "Member")
  add_rows(row, "member.", tvb, at, member_rows)
  local text = tvb(at, 2):le_uint() .. " " .. states[tvb(at + 2, 1):uint()]
  row:append_text(" " .. text)
  return at + MEMBER_BYTES, text
end

local function add_card(tree, tvb, at)
  local length = tvb(at + 16, 2):le_uint()
  local row = tree:add(frame, tvb(at, length), "Card")
  local head, short = add_member(row, tvb, at)
  add_rows(row, "card.", tvb, head, card_rows)
  local next = at + CARD_BYTES
  local function add_text(name)
    local text, behind = text_of(tvb, next)
    row:add(f["card." .. name], tvb(next, behind - next), text)
    next = behind
    return text
  end
  local name = add_text("name")
  row:append_text(" " .. name)
  add_text("host")
  for _ = 1, tvb(at + 18, 1):uint() do add_text("address") end
  for _ = 1, tvb(at + 19, 1):uint() do
    add_text("key")
    add_text("value")
  end
  if next < at + length then add(row, "card.padding", tvb, next, at + length - next) end
  return at + length, short .. " " .. name
end

local function add_bus(tree, tvb, name, length)
  local at = HEADER_BYTES
  local finish = at + length
  local is_probe = name == "PROBE" or name == "ANSWER"
  local block = tree:add(frame, tvb(at, is_probe and PROBE_BYTES or BUS_BYTES), "Bus")
  add_rows(block, "bus.", tvb, at, bus_rows)
  local flags = add(block, "bus.flags", tvb, at + 12, 4)
  add(flags, "bus.flags.asks", tvb, at + 12, 4)
  add(flags, "bus.flags.claims", tvb, at + 12, 4)
  local text = string.format(" members=%d", tvb(at + 8, 4):le_uint())
  at = at + BUS_BYTES
  if is_probe then
    add_rows(block, "bus.", tvb, at, probe_rows)
    text = string.format("%s %d asks %d", text, tvb(at + 8, 2):le_uint(), tvb(at + 10, 2):le_uint())
    at = at + PROBE_BYTES - BUS_BYTES
  elseif name == "SYNC" then
    local classes = tree:add(frame, tvb(at, finish - at), "Classes")
    for class = at, finish - 4, 4 do add(classes, "bus.class", tvb, class, 4) end
    return text
  end
  local add_entry = (name == "HELLO" or name == "VIEW") and add_card or add_member
  while at < finish do
    local short
    at, short = add_entry(tree, tvb, at)
    text = string.format("%s [%s]", text, short)
  end
  return text
end

-- Of CAST the header says most.
local function add_cast(tree, tvb, length)
  local row = tree:add(frame, tvb(16, 14), "Broadcast")
  for _, place in ipairs({ { "frame", 16, 8 }, { "oldest", 24, 4 }, { "asked", 28, 2 } }) do
    add(row, "cast." .. place[1], tvb, place[2], place[3]):set_generated(true)
  end
  if length > 0 then add(tree, "data", tvb, HEADER_BYTES, length) end
  return string.format(" frame=%s, %d bytes", tostring(tvb(16, 8):le_int64()), length)
end

local function add_cast_control(tree, tvb, length)
  local at = HEADER_BYTES
  local kind = sayings[tvb(at, 1):uint()]
  add_rows(tree:add(frame, tvb(at, CAST_BYTES), "Broadcast"), "cast.", tvb, at, cast_rows)
  local text = string.format(" %s seq=%s limit=%s", kind, tostring(tvb(at + 8, 8):le_int64()),
    tostring(tvb(at + 16, 8):le_int64()))
  local bytes = kind == "NAK" and SPAN_BYTES or READER_BYTES
  for entry = at + CAST_BYTES, at + length - bytes, bytes do
    if kind == "NAK" then
      add_rows(tree:add(frame, tvb(entry, bytes), "Span"), "span.", tvb, entry, span_rows)
      text = string.format("%s -[%s,%s)", text, tostring(tvb(entry, 8):le_int64()),
        tostring(tvb(entry + 8, 8):le_int64()))
    else
      add_rows(tree:add(frame, tvb(entry, bytes), "Reader"), "reader.", tvb, entry, reader_rows)
      text = string.format("%s [%d]", text, tvb(entry, 2):le_uint())
    end
  end
  return text
end

-- The payload of a sound frame; what the information column says of it.
local function add_payload(tree, tvb, name, length, word)
  local at = HEADER_BYTES
  if name == "CAST" then return add_cast(tree, tvb, length) end
  if name == "CASTC" then return add_cast_control(tree, tvb, length) end
  if bus_checks[name] then return add_bus(tree, tvb, name, length) end
  local assoc = association(tvb, name, word)
  local seq = tostring(tvb(16, 8):le_int64())
  local function range(data)
    return string.format(" [%s,%s)", seq, tostring(tvb(16, 8):le_int64() + Int64.new(data)))
  end
  if name == "FIRST" then
    local block = tree:add(frame, tvb(at, FIRST_BYTES), "First")
    add_rows(block, "first.", tvb, at, first_rows)
    local data = length - FIRST_BYTES
    return string.format("%s port=%d>%d serial=%s", range(data), tvb(at + 40, 4):le_uint(),
      tvb(at + 44, 4):le_uint(), tostring(tvb(at + 32, 8):le_int64()))
      .. add_data(tree, tvb, at + FIRST_BYTES, data, assoc)
  elseif name == "DATA" then
    return range(length) .. add_data(tree, tvb, at, length, assoc)
  elseif name == "CNTL" or name == "ECNTL" then
    local block = tree:add(frame, tvb(at, CONTROL_BYTES), "Status")
    add_rows(block, "control.", tvb, at, control_rows)
    local text = string.format(" rseq=%s alloc=%s", tostring(tvb(at, 8):le_int64()),
      tostring(tvb(at + 8, 8):le_int64()))
    for span = at + CONTROL_BYTES, at + length - SPAN_BYTES, SPAN_BYTES do
      local from, to = tvb(span, 8):le_int64(), tvb(span + 8, 8):le_int64()
      add_rows(tree:add(frame, tvb(span, SPAN_BYTES), "Span"), "span.", tvb, span, span_rows)
      text = string.format("%s +[%s,%s)", text, tostring(from), tostring(to))
    end
    return text
  elseif name == "DIAG" then
    local block = tree:add(frame, tvb(at, DIAG_BYTES), "Diagnosis")
    add_rows(block, "diag.", tvb, at, diag_rows)
    local code = diagnoses[tvb(at, 2):le_uint()]
    block:add_proto_expert_info(diagnosis, code)
    return " " .. code
  end
  if length > 0 then add(tree, "data", tvb, at, length) end
  return string.format(" %d bytes", length)
end

local function node_text(id) return id == EVERYONE and "*" or tostring(id) end

-- One frame; the bytes behind it are the carrier's padding.
local function dissect(tvb, tree)
  local verdict = judge(tvb)
  local row = tree:add(frame, tvb())
  local said = row:add(f.verdict, tvb(0, math.min(tvb:len(), HEADER_BYTES)), verdict)
  said:set_generated(true)
  if verdict ~= "OK" and not unjudged[verdict] then
    row:add_proto_expert_info(malformed, "A node would refuse this frame: " .. verdict)
  end
  if tvb:len() < HEADER_BYTES then
    add(row, "data", tvb, 0, tvb:len())
    return (unjudged[verdict] or "refused: " .. verdict)
  end
  add_header(row, tvb)
  local format = tvb(0, 1):uint() % 16
  local name = formats[format] or "?" .. format
  local text = string.format("%s>%s %s key=%s", node_text(tvb(6, 2):le_uint()),
    node_text(tvb(4, 2):le_uint()), name, key_text(tvb, 8))
  local word, length = tvb(30, 2):le_uint(), tvb(2, 2):le_uint()
  local at = HEADER_BYTES + length
  if verdict == "OK" then
    text = text .. add_payload(row, tvb, name, length, word)
    text = string.format("%s r=%d+%d %s", text, tvb(24, 4):le_uint(),
      tvb(28, 2):le_uint() * 256, names(word))
  else
    text = text .. (unjudged[verdict] or " refused: " .. verdict)
    if at + guard_bytes(word) > tvb:len() or verdict == "VERSION" then at = tvb:len() end
    if at > HEADER_BYTES then add(row, "data", tvb, HEADER_BYTES, at - HEADER_BYTES) end
  end
  row:append_text(", " .. text)
  if at < tvb:len() then at = add_guards(row, tvb, at, word, verdict) end
  if at < tvb:len() then add(row, "padding", tvb, at, tvb:len() - at) end
  return text
end

-- Frames that were sent together appear as one datagram in captures of the sender's kernel.

-- How long the frame at a place says it is; nil when there is none, or not all of it.
local function frame_bytes(tvb, at)
  if tvb:len() - at < HEADER_BYTES then return nil end
  local first, word = tvb(at, 1):uint(), tvb(at + 30, 2):le_uint()
  local format = first % 16
  if math.floor(first / 16) ~= VERSION or not formats[format] or formats[format] == "TCNTL"
    or tvb(at + 6, 2):le_uint() == EVERYONE then
    return nil
  end
  for bit = 0, 15 do
    if bit_of(word, bit) and not options[bit] then return nil end
  end
  local bytes = HEADER_BYTES + tvb(at + 2, 2):le_uint() + guard_bytes(word)
  return at + bytes <= tvb:len() and bytes or nil
end

-- The lengths of frames that fill all bytes; nil when they do not.
local function frames_in(tvb)
  local sizes, at = {}, 0
  while at < tvb:len() do
    local bytes = frame_bytes(tvb, at)
    if not bytes then return nil end
    sizes[#sizes + 1] = bytes
    at = at + bytes
  end
  return at > 0 and sizes or nil
end

function frame.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 then return 0 end
  local texts, at = {}, 0
  for i, bytes in ipairs(frames_in(tvb) or { tvb:len() }) do
    texts[i] = dissect(tvb(at, bytes):tvb(), tree)
    at = at + bytes
  end
  pinfo.cols.protocol = "Busbar"
  pinfo.cols.info = table.concat(texts, "; ")
  return tvb:len()
end

function single.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 then return 0 end
  local sound = tvb:len() >= RECORD_BYTES and tvb(0, 4):le_uint() == tvb:reported_len() - RECORD_BYTES
    and kinds[tvb(4, 1):uint()] ~= nil
  if not sound and judge(tvb) == "OK" then return frame.dissector(tvb, pinfo, tree) end
  pinfo.cols.protocol = "Busbar"
  local row = tree:add(frame, tvb())
  if not sound then
    row:add_proto_expert_info(broken)
    add(row, "data", tvb, 0, tvb:len())
    pinfo.cols.info = "no record"
    return tvb:len()
  end
  local name, length = add_record(row, tvb, 0, tvb:len())
  local text = string.format("%s handler=%d %d bytes", name, tvb(6, 2):le_uint(), length)
  row:append_text(", " .. text)
  pinfo.cols.info = text
  return tvb:len()
end

frame:register_heuristic("udp", function(tvb, pinfo, tree)
  if not frames_in(tvb) then return false end
  pinfo.conversation = frame -- so that a spoilt frame of theirs is shown as one
  frame.dissector(tvb, pinfo, tree)
  return true
end)

DissectorTable.get("ethertype"):add(0x88B5, frame)
DissectorTable.get("ethertype"):add(0x88B6, single)
DissectorTable.get("udp.port"):add_for_decode_as(frame)
