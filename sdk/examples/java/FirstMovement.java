import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Includes an employee and prints the benefit: Vigencia with Java 17 alone. A program of your own reads JSON with a library; here a pattern does.
 *
 * <p>VIGENCIA_URL=http://127.0.0.1:3000 VIGENCIA_CLIENT_SECRET=... java FirstMovement.java [CPF]
 */
public class FirstMovement {
  static final HttpClient http = HttpClient.newHttpClient();
  static final String url = System.getenv().getOrDefault("VIGENCIA_URL", "http://127.0.0.1:3000");
  static String token = null;

  /** The body of a response. Waits and repeats what the service could not do now; with the same key it does nothing twice. */
  static String call(String method, String path, String body, String key) throws Exception {
    var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url + path)).method(method, publisher);
    if (body != null) request.header("Content-Type", "application/json");
    if (token != null) request.header("Authorization", "Bearer " + token);
    if (key != null) request.header("Idempotency-Key", key);
    while (true) {
      var response = http.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() == 200) return response.body();
      if (response.statusCode() != 429 && response.statusCode() != 503) {
        System.err.println(response.statusCode() + " " + response.body());
        System.exit(1);
      }
      Thread.sleep(1000 * response.headers().firstValueAsLong("Retry-After").orElse(1));
    }
  }

  /** The first value of a field whose value is text. */
  static String field(String name, String json) {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  public static void main(String[] arguments) throws Exception {
    var cpf = arguments.length > 0 ? arguments[0] : "302.107.136-82";
    var id = System.getenv().getOrDefault("VIGENCIA_CLIENT_ID", "demo-partner");
    var client = "{\"client-id\":\"%s\",\"client-secret\":\"%s\"}".formatted(id, System.getenv("VIGENCIA_CLIENT_SECRET"));
    token = field("access-token", call("POST", "/v1/authenticate", client, null));
    var company = field("tax-id", call("GET", "/v1/company", null, null));
    var products = call("GET", "/v1/product?company-tax-id=" + company, null, null);
    var product = field("product-name", products);

    var employee = """
        { "beneficiary-type": "primary", "name": "Lia Prado Nunes", "tax-id": "%s", "mothers-name": "Rosa Nunes",
          "date-of-birth": "1991-03-08", "gender": "female",
          "products": { "%s": [{ "name": "%s", "start-option": "on-inclusion-date" }] } }"""
        .formatted(cpf, field("product-type", products), product);
    // resolution=approve stands in for the operator, in staging only.
    var batch = "{ \"company-tax-id\": \"%s\", \"members\": [%s] }".formatted(company, employee);
    var path = "/v1/enrollment/inclusion?resolution=approve";
    var request = field("request-id", call("POST", path, batch, UUID.randomUUID().toString()));
    String status;
    while ((status = field("status", call("GET", "/v1/request/" + request, null, null))).equals("processing")) Thread.sleep(200);
    var filter = URLEncoder.encode("tax-id=" + cpf, "UTF-8");
    var member = call("GET", "/v1/member?filter=" + filter, null, null);
    System.out.println("request " + status + "; " + product + ": " + field("status", member));
  }
}
