"""Runs samples in Python: each line of the input is the code of one as JSON. What a sample prints is its answer."""
import json
import sys
import traceback

for line in sys.stdin:
    printed = []
    try:
        exec(json.loads(line), {"print": printed.append})
        result = {"answer": printed[0]}
    except Exception:
        result = {"error": traceback.format_exc()}
    sys.stdout.write(json.dumps(result) + "\n")
