"""Compression of log lines, which are read back byte for byte.

A stored line is one byte with the number of a preset dictionary, then raw DEFLATE (RFC 1951).
A dictionary that has been used is never changed; a new one gets the next number.
"""

import zlib

WORDS = (
    '"purple","white","blue","yellow","orange","black","red","green","locomotive"'
    '{"dice":[1],"tokens":1,"type":"dice_pay_tunnel"}{"city":"riga","dice":[1],"type":"dice_build_'
    'station"}{"seat":1,"type":"action_failed"}{"seat":1,"type":"turn_ended"}{"seat":1,"technology"'
    ':"thermocompressor","type":"technology_returned"}{"seat":1,"type":"second_claim_allowed"}'
    '{"reason":"last_round","results":[{"completed":["{"seat":2,"turns":3,"type":"last_round_began"}'
    '{"kept":[3,2,3],"type":"opening_closed","under":[]}{"board":"europe","digest":"","seating":['
    '1,0,2],"type":"game_started","variants":[]}{"dice":[2],"type":"dice_draw_tickets"}{"payment":'
    '{"dice":[2]},"seat":1,"type":"dice_spent"}{"cards":77,"type":"deck_reshuffled"}{"cards":["blue",'
    '"locomotive"],"type":"market_swept"}{"faces":["blank","blank","blank"],"payment":{"dice":[1,2]}'
    ',"seat":1,"type":"tunnel_dice_rolled"}{"cards":["green","red"],"type":"market_filled"}'
    '{"city":"riga","payment":{"blue":1},"type":"build_station"}{"cards":["white"],"seat":0,"type":'
    '"hand_dealt"}{"kept":["london-wien"],"returned":["seattle-new_york"],"seat":1,"type":"opening_'
    'tickets_chosen"}{"type":"decline_tunnel"}{"payment":{"red":3},"route":"paris-zurich","seat":1,'
    '"type":"tunnel_abandoned"}{"city":"riga","payment":{"blue":1},"seat":2,"type":"station_built"}'
    '{"dice":[1],"type":"reroll"}{"dice":[3],"faces":["single","double","joker","double","joker"],'
    '"seat":2,"type":"dice_rerolled"}{"dice":[3,5],"technology":"booster","type":"buy_technology"}'
    '{"claims":"","payment":{"dice":[3,5]},"seat":0,"technology":"booster","type":"technology_bought"'
    '}{"cards":["blue"],"type":"cards_revealed"}{"payment":{"blue":2},"revealed":["red","orange",'
    '"red"],"route":"munchen-venezia","seat":1,"surcharge":null,"type":"tunnel_dug"}{"type":"draw_'
    'tickets"}{"kept":["london-wien"],"returned":[],"seat":3,"type":"tickets_kept"}{"keep":[],"type":'
    '"keep_tickets"}{"fresh":3,"least":1,"long":0,"opening":false,"seat":3,"tickets":["london-wien"]'
    ',"type":"tickets_offered"}{"dice":[1,5],"kind":"single","type":"take_token"}{"dice":[1,5],"kind'
    '":"single","seat":0,"type":"token_taken"}{"dice":[4],"route":"hull-leeds","type":"dice_claim"}'
    '{"seat":0,"type":"action_done"}{"returned":{"double":0,"single":1},"seat":0,"type":"dice_handed_'
    'on"}{"type":"roll"}{"faces":["joker","double","joker","joker","double"],"seat":2,"type":"dice_'
    'rolled"}{"type":"end_turn"}{"action":{"payment":{"locomotive":1,"red":2},"route":"new_york",'
    '"type":"claim"},"at":"2026-11-17T09:03:44.842Z","events":[{"closes":null,"payment":{"green":3},'
    '"points":4,"route":"los_angeles","seat":2,"trains":3,"type":"route_claimed"},{"seat":1,"type":'
    '"turn_began"}],"move":1{"action":{"type":"draw_blind"},"at":"2026-11-17T09:03:44.842Z","events"'
    ':[{"card":"black","seat":1,"type":"card_drawn"}],"move":1{"action":{"slot":3,"type":"draw_face_'
    'up"},"at":"2026-11-17T09:03:44.842Z","events":[{"card":"white","replacement":"locomotive","seat'
    '":0,"slot":3,"type":"card_taken"},{"seat":1,"type":"turn_began"}],"move":11,"seat":0,"source":'
    '"house"}"source":"api"}'
)
"""Texts that are common in log lines, the rarest first: DEFLATE refers to near ones cheaply."""

NOW = 1
"""The dictionary for new lines."""
DICTIONARIES = {1: WORDS.encode()}
WINDOW = -13
"""A window of 2^13 bytes, which holds the dictionary and a line; negative means raw DEFLATE."""
LITTLE = 5
"""zlib's memLevel: a compressor of the usual size takes longer to set up than to use."""
_PACKER = zlib.compressobj(
    zlib.Z_BEST_COMPRESSION,
    zlib.DEFLATED,
    WINDOW,
    LITTLE,
    zlib.Z_DEFAULT_STRATEGY,
    DICTIONARIES[NOW],
)


def packed(line: str) -> bytes:
    """Compress a line."""
    packer = _PACKER.copy()
    return bytes([NOW]) + packer.compress(line.encode()) + packer.flush()


def unpacked(stored: bytes) -> str:
    """Return the line that was compressed."""
    words = DICTIONARIES.get(stored[0])
    if words is None:
        raise ValueError(f"a stored line needs dictionary {stored[0]}, of a later version")
    return zlib.decompressobj(WINDOW, words).decompress(stored[1:]).decode()
