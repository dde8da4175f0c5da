"""Written by the prose of docs/webhooks.md ("Check a timeline") alone, without a look at the code there."""
import hashlib
import json
import sys


def faults_of(booking, webhooks):
    number = 0
    before = b""
    status_before = None
    for entry in booking["timeline"]:
        number += 1
        if entry["sequence"] != number:
            yield number, "number"
        array = [booking["booking_id"]] + [
            entry[member]
            for member in ("sequence", "at", "event", "from", "to", "actor", "channel", "revision", "text")
        ]
        text = json.dumps(array, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256(before + text.encode("utf-8")).digest()
        if entry["hash"] != before.hex():
            yield number, "hash"
        if entry["from"] != status_before:
            yield number, "from"
        status_before = entry["to"]
    if booking["timeline_head"] != {"sequence": number, "hash": before.hex()}:
        yield number, "head"
    if booking["status"] != status_before:
        yield number, "status"
    by_number = {entry["sequence"]: entry for entry in booking["timeline"]}
    for webhook in webhooks:
        data = webhook["data"]
        if data.get("booking_id") != booking["booking_id"]:
            continue
        head = data["timeline_head"]
        entry = by_number.get(head["sequence"])
        if entry is None or entry["hash"] != head["hash"] or entry["to"] != data["status"]:
            yield head["sequence"], "webhook"
        if head["sequence"] != webhook["sequence"]:
            yield head["sequence"], "sequence"


with open(sys.argv[1], encoding="utf-8") as answer, open(sys.argv[2], encoding="utf-8") as kept:
    posted = [json.loads(line) for line in kept if line.strip()]
    found = [
        (booking["booking_id"], *fault)
        for booking in json.load(answer)["bookings"]
        for fault in faults_of(booking, posted)
    ]
for one in found:
    print(*one)
sys.exit(1 if found else 0)
