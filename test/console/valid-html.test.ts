// Every page, and the response to every empty form, is valid HTML: html-validate finds nothing. This covers the console, the recipients'
// pages, and the page Components.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { RECIPIENT_ROUTES } from '../../src/recipient/routes.ts';
import { ADDRESSES, componentsPage } from '../components/page.ts';
import { startTestServer } from '../fixtures/http.ts';
import { openSession, visit } from '../fixtures/members.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { LONGEST, OWNER, openShop, pagesOf } from '../fixtures/shop.ts';

const VALIDATOR = new URL('../../node_modules/.bin/html-validate', import.meta.url).pathname;
/** html-validate's rules for the standard and for accessibility, without its rules for style. */
const RULES = JSON.stringify({ root: true, extends: ['html-validate:standard', 'html-validate:a11y'] });
/** These forms would end the session or delete data that later pages show. */
const ENDING = ['/sign-out', '/sessions', '/surveys/:survey/api-trigger/:token/delete'];

const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'), { FLOOD_PAGES_PER_MINUTE: '1000000' });
const shop = await openShop(store, sql, LONGEST);
const routes = [...CONSOLE_ROUTES, ...RECIPIENT_ROUTES.map(([method, path]) => [method, path] as const)];
const of = (which: string) => routes.filter(([method]) => method === which).map(([, path]) => path);
const pages = pagesOf(shop, of('GET'));
const forms = pagesOf(shop, of('POST')).filter(({ pattern }) => !ENDING.includes(pattern));
const owner = await openSession(store, OWNER);

/** Returns the rule, place and message of each finding, by file. */
const findings = (directory: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    execFile(VALIDATOR, ['--formatter', 'json', directory], { maxBuffer: 2 ** 26 }, (error, output) => {
      if (output === '') return reject(error);
      const files: { filePath: string; messages: { ruleId: string; line: number; message: string }[] }[] = JSON.parse(output);
      resolve(
        files.flatMap(({ filePath, messages }) =>
          messages.map(({ ruleId, line, message }) => `${filePath.slice(directory.length + 1)}:${line} ${ruleId}: ${message}`),
        ),
      );
    });
  });

t.test('every page and form', async (t) => {
  const directory = t.testdir({ '.htmlvalidate.json': RULES, 'broken.html': '<!DOCTYPE html><title>Broken</title><p><div></p>' });
  let count = 0;
  const save = async (name: string, response: Response) => {
    const text = await response.text();
    t.ok(response.status < 500, `${response.status} ${name}`);
    if (!response.headers.get('content-type')?.startsWith('text/html') || text === '') return;
    write(name, text);
  };
  const write = (name: string, text: string) => {
    count += 1;
    writeFileSync(`${directory}/${name.replaceAll(/[/:]+/g, '_')}.html`, text);
  };
  for (const { pattern, path } of pages) {
    await save(`GET ${pattern}`, await visit(url, path, owner));
    await save(`GET ${pattern} signed out`, await visit(url, path));
  }
  for (const { pattern, path } of forms) await save(`POST ${pattern}`, await visit(url, path, owner, {}));
  for (const address of ADDRESSES) write(`Components ${address}`, componentsPage(address) ?? '');
  const found = await findings(directory);
  t.ok(count > pages.length, `${count} documents`);
  t.match(found.filter((finding) => finding.startsWith('broken.html')).join(), 'close-order', 'it finds what is broken');
  t.same(
    found.filter((finding) => !finding.startsWith('broken.html')),
    [],
  );
});
