# For the samples of the guides, in a shell in the clone: `. examples/session.sh`.
# Takes a token of each client of the demo: TOKEN (partner) and OPERATOR_TOKEN, valid for an hour.
# `npm start` writes address and secrets to the data folder. For a demo elsewhere set URL, PARTNER_SECRET and OPERATOR_SECRET before.

# Prints the value of a field of a JSON response: the last one of that name in each line.
field() { sed "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/"; }

profile=${VIGENCIA_DATA_DIR:-.data}/demo-profile.json
if [ -f "$profile" ]; then
  URL=$(grep '"url"' "$profile" | head -n 1 | field url)
  PARTNER_SECRET=$(grep '"client-secret"' "$profile" | head -n 1 | field client-secret)
  OPERATOR_SECRET=$(grep '"client-secret"' "$profile" | tail -n 1 | field client-secret)
fi
export PARTNER_SECRET OPERATOR_SECRET

token() {
  response=$(curl -sS "$URL/v1/authenticate" -H 'Content-Type: application/json' \
    -d "{ \"client-id\": \"$1\", \"client-secret\": \"$2\" }")
  case $response in
    *'"access-token"'*) printf '%s\n' "$response" | field access-token ;;
    *)
      echo "examples/session.sh: no token for $1 from $URL: $response" >&2
      echo 'A demo whose secret was rotated gets a new one when it starts: stop the service, then npm start.' >&2
      return 1
      ;;
  esac
}
unset TOKEN OPERATOR_TOKEN PARTNER OPERATOR
TOKEN=$(token demo-partner "$PARTNER_SECRET") && OPERATOR_TOKEN=$(token demo-operator "$OPERATOR_SECRET") || return 1
# As a header.
PARTNER="Authorization: Bearer $TOKEN"
OPERATOR="Authorization: Bearer $OPERATOR_TOKEN"
