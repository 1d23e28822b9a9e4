"""Includes an employee and prints the benefit: Vigencia with Python's standard library alone.

VIGENCIA_URL=http://127.0.0.1:3000 VIGENCIA_CLIENT_SECRET=... python3 first_movement.py [CPF]
"""

import json
import os
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("VIGENCIA_URL", "http://127.0.0.1:3000")


def call(method, path, body=None, token=None, key=None):
    """The JSON of a response. Waits and repeats what the service could not do now; with the same key it does nothing twice."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urlopen(Request(URL + path, data, headers, method=method), timeout=60) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(f"{error.code} {error.read().decode()}")
            time.sleep(float(error.headers.get("Retry-After", 1)))


client = {"client-id": os.environ.get("VIGENCIA_CLIENT_ID", "demo-partner"), "client-secret": os.environ["VIGENCIA_CLIENT_SECRET"]}
token = call("POST", "/v1/authenticate", client)["access-token"]
companies = call("GET", "/v1/company?items-per-page=500", token=token)["result"]
plans = ((company, one) for company in companies for one in company["products"] if one["product-type"] == "health-insurance")
company, product = next(plans, None) or sys.exit("No company of this client has a health plan.")

cpf = sys.argv[1] if len(sys.argv) > 1 else "195.730.486-39"
employee = {
    "beneficiary-type": "primary",
    "name": "Clara Nunes Prado",
    "tax-id": cpf,
    "mothers-name": "Rosa Nunes",
    "date-of-birth": "1991-03-08",
    "gender": "female",
    "products": {"health-insurance": [{"name": product["product-name"], "start-option": "on-inclusion-date"}]},
}
# resolution=approve stands in for the operator, in staging only.
inclusion = {"company-tax-id": company["tax-id"], "members": [employee]}
path = "/v1/enrollment/inclusion?resolution=approve"
request = call("POST", path, inclusion, token, key=str(uuid.uuid4()))["request-id"]
while (status := call("GET", f"/v1/request/{request}", token=token)["status"]) == "processing":
    time.sleep(0.2)
members = call("GET", f"/v1/member?filter=tax-id%3D{cpf}", token=token)["result"]
benefits = [f"{one['product-name']}: {one['status']}" for member in members for one in member["benefits"]]
print(f"request {status};", ", ".join(benefits))
