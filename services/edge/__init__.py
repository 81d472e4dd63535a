"""The edge: HTTP, JSON and browsers, by Envoy. Everything that Envoy is told is rendered from the protos.

protos       the services, methods and paths of the contract, from its descriptor set
strict_json  a Lua filter that refuses what the transcoder would let pass, or has no good words for: lua/*.lua
replies      what Envoy says by itself, in the one form that every error has
limits       how often one caller may do what costs much
bootstrap    Envoy's configuration, over one server or over several
process      one run of a program, such as Envoy
envoy        Envoy beside a server: started, started again when it dies, ended
openapi      the contract as an OpenAPI document; of
             kinds     which messages lead to which, and which have a form of their own in requests
             presence  which fields are always there
             values    what is no message of ours
             schemas   the messages as JSON Schema
             samples   an example of whatever a schema describes
             reasons   errors, and an example of every reason
page         the same to be read by people
pages        both, as the edge serves them

`python -m services.edge` writes the configuration for an Envoy that runs elsewhere. No game is named here: a new proto
file is a new service, with its paths.
"""
