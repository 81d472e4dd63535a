"""`python -m services.edge`: write what an Envoy that runs elsewhere needs, on standard output.

In --rules {game} is the game's token, such as rules-{game}:50051: then each game has a server of its own. Servers that
have no common name come with commas between them.
"""

import argparse
import json
import sys
from pathlib import Path

from services.edge.bootstrap import Edge, render
from services.edge.limits import Rates
from services.edge.openapi import openapi
from services.edge.protos import read_protos


def main() -> None:
    """Read the command line, and write."""
    parser = argparse.ArgumentParser(prog="python -m services.edge", description=__doc__)
    parser.add_argument("--openapi", action="store_true", help="write the OpenAPI document instead")
    parser.add_argument("--listen", default="127.0.0.1:8080", help="where Envoy listens")
    parser.add_argument("--sessions", default="127.0.0.1:50051", help="the session service, host:port")
    parser.add_argument("--rules", help="the rules, host:port; default: where the sessions are")
    parser.add_argument("--origin", action="append", default=[], help="whose pages may call; * is everybody's")
    parser.add_argument("--site", type=Path, help="a folder of files to serve, such as a built page")
    parser.add_argument("--admin", help="where Envoy is administered: host:port or the path of a socket; default off")
    parser.add_argument("--access-log", action="store_true", help="a line of JSON for each call, on standard output")
    parser.add_argument("--proxies", type=int, default=0, help="how many proxies before it write x-forwarded-for")
    parser.add_argument("--creations", type=int, default=60, help="by one address in a minute; 0 is any number")
    parser.add_argument("--joins", type=int, default=60, help="attempts of one address in a minute; 0 is any number")
    parser.add_argument("--streams", type=int, default=300, help="opened by one address in a minute; 0: any number")
    arguments = parser.parse_args()
    protos = read_protos()
    if arguments.openapi:
        json.dump(openapi(protos), sys.stdout, indent=1)
        return
    edge = Edge(
        listen=arguments.listen,
        sessions=arguments.sessions,
        rules=arguments.rules or arguments.sessions,
        origins=arguments.origin,
        site=arguments.site,
        admin=arguments.admin,
        access_log=arguments.access_log,
        rates=Rates(arguments.creations, arguments.joins, arguments.streams),
        proxies=arguments.proxies,
    )
    try:
        bootstrap = render(edge, protos)
    except ValueError as error:
        sys.exit(str(error))
    json.dump(bootstrap, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
