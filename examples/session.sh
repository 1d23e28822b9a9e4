# For the samples of the guides, in a shell: `. examples/session.sh`. It takes a token, valid for an hour; PARTNER is the header with it.
# It is a token of your client, by VIGENCIA_URL, VIGENCIA_CLIENT_ID and VIGENCIA_CLIENT_SECRET. Without them it is one of the demo of `npm start`, which
# writes address and secrets to the data folder: then OPERATOR is the header of its operator. For a demo elsewhere set URL, PARTNER_SECRET and
# OPERATOR_SECRET before.

# Prints the value of a field of a JSON response: the last one of that name in each line.
field() { sed "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/"; }

# Waits until a request is done.
finished() {
  while curl -sS "$URL/v1/request/$1" -H "$PARTNER" | grep -q '"status" *: *"processing"'; do sleep 0.2; done
}

# Includes the people of a file, approved at once, and waits until it is done: in staging.
include() {
  response=$(curl -sS "$URL/v1/enrollment/inclusion?resolution=approve" -H "$PARTNER" -H 'Content-Type: application/json' -d @"$1")
  case $response in
    *'"request-id" '*:* | *'"request-id":'*) finished "$(printf '%s\n' "$response" | field request-id)" ;;
    *)
      printf '%s\n' "$response" >&2
      return 1
      ;;
  esac
}

token() {
  response=$(curl -sS "$URL/v1/authenticate" -H 'Content-Type: application/json' \
    -d "{ \"client-id\": \"$1\", \"client-secret\": \"$2\" }")
  case $response in
    *'"access-token"'*) printf '%s\n' "$response" | field access-token ;;
    *)
      echo "examples/session.sh: no token for $1 from $URL: $response" >&2
      [ -n "${VIGENCIA_CLIENT_ID:-}" ] ||
        echo 'A demo whose secret was rotated gets a new one when it starts: stop the service, then npm start.' >&2
      return 1
      ;;
  esac
}

profile=${VIGENCIA_DATA_DIR:-.data}/demo-profile.json
unset TOKEN OPERATOR_TOKEN PARTNER OPERATOR
if [ -n "${VIGENCIA_CLIENT_ID:-}" ]; then
  URL=$VIGENCIA_URL
  TOKEN=$(token "$VIGENCIA_CLIENT_ID" "$VIGENCIA_CLIENT_SECRET") || return 1
else
  if [ -f "$profile" ]; then
    URL=$(grep '"url"' "$profile" | head -n 1 | field url)
    PARTNER_SECRET=$(grep '"client-secret"' "$profile" | head -n 1 | field client-secret)
    OPERATOR_SECRET=$(grep '"client-secret"' "$profile" | tail -n 1 | field client-secret)
  fi
  export PARTNER_SECRET OPERATOR_SECRET
  TOKEN=$(token demo-partner "$PARTNER_SECRET") && OPERATOR_TOKEN=$(token demo-operator "$OPERATOR_SECRET") || return 1
  OPERATOR="Authorization: Bearer $OPERATOR_TOKEN"
fi
PARTNER="Authorization: Bearer $TOKEN"
