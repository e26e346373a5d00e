// Requests ready to paste, for one token. Pure.
import { type Html, html } from '../../html/html.ts';

/** Stands for the secret where it cannot be shown. */
export const PLACEHOLDER = 'YOUR_SECRET';

const BODY = { email: 'ada@example.com', name: 'Ada Lovelace', metadata: { order_id: 'A-1001' } };

/** A word of a POSIX shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pretty = JSON.stringify(BODY, null, 2);

const curl = (endpoint: string, secret: string): string =>
  [
    `curl -sS ${shell(endpoint)} \\`,
    `  -H ${shell(`Authorization: Bearer ${secret}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shell(JSON.stringify(BODY))}`,
  ].join('\n');

const node = (endpoint: string, secret: string): string => `// Node 18 or newer, as an ES module
const response = await fetch(${JSON.stringify(endpoint)}, {
  method: 'POST',
  headers: {
    authorization: ${JSON.stringify(`Bearer ${secret}`)},
    'content-type': 'application/json',
    // The event's own id: the same request may then be sent again safely.
    'idempotency-key': 'order-A-1001',
  },
  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),
});
const answer = await response.json();
if (!answer.ok) throw new Error(\`\${answer.error.code}: \${answer.message}\`);
console.log(answer.batch.uuid);`;

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
        # The event's own id: the same request may then be sent again safely.
        "Idempotency-Key": "order-A-1001",
    },
    data=json.dumps(${pretty.replaceAll('  ', '    ').replaceAll('\n', '\n    ')}).encode(),
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["batch"]["uuid"])
except urllib.error.HTTPError as error:
    answer = json.load(error)
    raise SystemExit(answer["error"]["code"] + ": " + answer["message"])`;

/** By name, in the order in which they are shown. */
const EXAMPLES = { curl, Node: node, Python: python } as const;

/** A text to be pasted elsewhere; page.js puts a button beside it. @param what Ends `Copy …`. */
export const copyable = (what: string, text: string): Html =>
  html`<div class="copyable"><pre tabindex="0" role="region" aria-label="${what}" data-copy="${what}">${text}</pre></div>`;

/** @param secret Undefined: it cannot be shown any more. */
export const examplesPart = (endpoint: string, secret?: string): Html =>
  html`${Object.entries(EXAMPLES).map(
    ([name, make], index) =>
      html`<details class="example" name="example"${index === 0 && html` open`}><summary>${name}</summary>${copyable(`the ${name} example`, make(endpoint, secret ?? PLACEHOLDER))}</details>`,
  )}`;
