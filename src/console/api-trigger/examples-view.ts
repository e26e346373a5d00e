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

const EXAMPLES = { curl, Node: node, Python: python } as const;

/**
 * console.js adds a button.
 * @param what Completes `Copy …`.
 */
export const copyable = (what: string, text: string): Html =>
  html`<div class="copyable"><pre tabindex="0" role="region" aria-label="${what}" data-copy="${what}">${text}</pre></div>`;

/** @param secret Undefined: it can't be shown any more. */
export const examplesPart = (endpoint: string, secret?: string): Html =>
  html`${Object.entries(EXAMPLES).map(
    ([name, make], index) =>
      html`<details class="example" name="example"${index === 0 && html` open`}><summary>${name}</summary>${copyable(`the ${name} example`, make(endpoint, secret ?? PLACEHOLDER))}</details>`,
  )}`;
