"""A client of `berth serve`, which speaks to it as EasyDock 1.3 does (easydock/dock/persistent_client.py and server_dock.py).

    serve_client.py REQUESTS SERVER...    sends the lines of a file, a JSON object each (command, payload), with ids, and
                                          waits for the answer to each; prints what the answers say
"""

import json
import subprocess
import sys


def ask(server, number, line):
    """A request, as EasyDock writes it; what is no JSON is sent as it is."""
    try:
        request = json.loads(line)
        line = json.dumps({"id": number, **request}, ensure_ascii=True) + "\n"
    except ValueError:
        number = None
    server.stdin.write(line)
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    assert answer.pop("id") == number, answer
    return answer.pop("payload"), answer


def main():
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    with open(sys.argv[1], encoding="utf-8") as requests:
        for number, line in enumerate(requests, 1):
            payload, rest = ask(server, number, line)
            assert not rest, rest
            results = payload.pop("results", None)
            print(number, *(f"{name}={value}" for name, value in payload.items() if name != "version"))
            for name, result in (results or {}).items():
                if "error" not in result:
                    raw = result["raw_block"]
                    assert raw.startswith(result["mol_block"])
                    with open(f"served-{number}.sdf", "a", encoding="utf-8", newline="") as file:
                        file.write(raw)
                print(number, name, result.get("error") or format(result["docking_score"], ".4f"))
    server.stdin.close()
    assert server.stdout.read() == ""
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
