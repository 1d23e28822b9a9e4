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
  curl -s "$URL/v1/authenticate" -H 'Content-Type: application/json' \
    -d "{ \"client-id\": \"$1\", \"client-secret\": \"$2\" }" | field access-token
}
TOKEN=$(token demo-partner "$PARTNER_SECRET")
OPERATOR_TOKEN=$(token demo-operator "$OPERATOR_SECRET")
# As a header.
PARTNER="Authorization: Bearer $TOKEN"
OPERATOR="Authorization: Bearer $OPERATOR_TOKEN"
