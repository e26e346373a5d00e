// Sample requests to paste.
import { type Html, html } from '../../html/html.ts';

export const PLACEHOLDER = 'YOUR_SECRET';

const BODY = { email: 'ada@example.com', name: 'Ada Lovelace', metadata: { order_id: 'A-1001' } };

const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pretty = JSON.stringify(BODY, null, 2);

const curl = (endpoint: string, secret: string): string =>
  [
    `curl -sS ${shell(endpoint)} \\`,
    `  -H ${shell(`Authorization: Bearer ${secret}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shell(JSON.stringify(BODY))}`,
  ].join('\n');

const node = (endpoint: string, secret: string): string => `// Node 18 or later, as an ES module
const response = await fetch(${JSON.stringify(endpoint)}, {
  method: 'POST',
  headers: {
    authorization: ${JSON.stringify(`Bearer ${secret}`)},
    'content-type': 'application/json',
    // The event's id. It makes retries safe.
    'idempotency-key': 'order-A-1001',
  },
  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),
});
const result = await response.json();
if (!result.ok) throw new Error(\`\${result.error.code}: \${result.message}\`);
console.log(result.batch.uuid);`;

const python = (endpoint: string, secret: string): string => `# Python 3, without packages
import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(endpoint)},
    method="POST",
    headers={
        "Authorization": ${JSON.stringify(`Bearer ${secret}`)},
        "Content-Type": "application/json",
        # The event's id. It makes retries safe.
        "Idempotency-Key": "order-A-1001",
    },
    data=json.dumps(${pretty.replaceAll('  ', '    ').replaceAll('\n', '\n    ')}).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["batch"]["uuid"])
except urllib.error.HTTPError as error:
    result = json.load(error)
    raise SystemExit(result["error"]["code"] + ": " + result["message"])`;

/** Quotes a text for PHP and Ruby, which interpolate variables in double quotes. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

const php = (endpoint: string, secret: string): string => `<?php // PHP 8, without packages
$request = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        ${quoted(`Authorization: Bearer ${secret}`)},
        'Content-Type: application/json',
        // The event's id. It makes retries safe.
        'Idempotency-Key: order-A-1001',
    ],
    'content' => json_encode(${literal(' => ', '[', ']')}),
    'ignore_errors' => true, // so that a refusal can be read
]]);
$result = json_decode(file_get_contents(${quoted(endpoint)}, false, $request));
if (!$result->ok) throw new RuntimeException("{$result->error->code}: {$result->message}");
echo $result->batch->uuid, "\\n";`;

const ruby = (endpoint: string, secret: string): string => `# Ruby 3, without gems
require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI(${quoted(endpoint)}),
  JSON.generate(${literal(' => ', '{ ', ' }')}),
  'Authorization' => ${quoted(`Bearer ${secret}`)},
  'Content-Type' => 'application/json',
  # The event's id. It makes retries safe.
  'Idempotency-Key' => 'order-A-1001'
)
result = JSON.parse(response.body)
abort "#{result['error']['code']}: #{result['message']}" unless result['ok']
puts result['batch']['uuid']`;

/** Writes the body as a PHP array or Ruby hash on one line. */
function literal(arrow: string, open: string, close: string, value: unknown = BODY): string {
  if (typeof value !== 'object' || value === null) return quoted(String(value));
  const pairs = Object.entries(value).map(([key, member]) => `${quoted(key)}${arrow}${literal(arrow, open, close, member)}`);
  return `${open}${pairs.join(', ')}${close}`;
}

/** Sample requests by language. The files in docs/calls have the same code. */
export const EXAMPLES = { curl, Node: node, Python: python, PHP: php, Ruby: ruby } as const;

/**
 * A text that people copy. console.js adds the copy button.
 * @param what Completes the button's label, `Copy …`.
 */
export const copyable = (what: string, text: string): Html =>
  html`<section class="copyable" aria-label="${what}"><pre tabindex="0" data-copy="${what}">${text}</pre></section>`;

/** Whom the examples of a test workspace invite. */
export const SIMULATED_PERSON = 'responds-9@sim.invalid';

/** @param secret Undefined: the secret can't be shown again. */
export const examplesPart = (endpoint: string, isTest: boolean, secret: string = PLACEHOLDER): Html =>
  html`${Object.entries(EXAMPLES).map(([name, make], index) => {
    const text = make(endpoint, secret);
    return html`<details class="example" name="example"${index === 0 && html` open`}><summary>${name}</summary>${copyable(`the ${name} example`, isTest ? text.replace(BODY.email, SIMULATED_PERSON) : text)}</details>`;
  })}`;
