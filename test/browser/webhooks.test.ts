// Webhook endpoints in a browser: an owner adds one, sees its secret once, tests it, reads the log, and deletes it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createSurvey, until } from '../fixtures/setup.ts';
import { inspect, openPage, refused, startBrowser } from './browser.ts';

const { store, open, signIn } = await startBrowser(t);
const { workspace } = await createSurvey(store);
await store.upsertMember(workspace, 'ada@example.com', 'owner');
const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200).end('thank you'));
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
t.teardown(() => receiver.close());
const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/of/surveys`;

t.test('an owner adds an endpoint, sees its secret once, tests it and deletes it', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await openPage(page, 'Settings', 'Webhooks');
  await page.getByText('No endpoints').waitFor();
  await page.getByLabel('Address').fill('https://app.example.com/#part');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await refused(t, page, 'An endpoint starts with https://');
  await inspect(t, page, 'webhooks-refused');
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('response.submitted').check();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  t.match(await page.getByRole('region', { name: /^Secret of/ }).innerText(), /whsec_/);
  await inspect(t, page, 'webhook-secret');
  await page.getByRole('link', { name: 'Go to the endpoint' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Test event queued.').waitFor();
  // No private network is allowed here, so the event is rejected, and the log says why.
  await until('it is refused', async () => {
    await page.reload();
    return page.getByText('forbidden_address').isVisible();
  });
  await inspect(t, page, 'webhook');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('The endpoint is paused.').waitFor();
  await page.getByRole('link', { name: 'Delete…' }).click();
  await inspect(t, page, 'webhook-delete');
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('Endpoint deleted.').waitFor();
  await page.getByText('No endpoints').waitFor();
});

t.test('an owner tells a Slack channel of low scores', async (t) => {
  const page = await open(t);
  await signIn(page, 'ada@example.com');
  await openPage(page, 'Settings', 'Webhooks');
  await page.getByLabel('Incoming webhook').fill(`${address}/T024BE7LH/k2Rz8VqYb0WnE5tLx4Qe`);
  await page.getByLabel('Scores below').fill('4');
  await inspect(t, page, 'webhooks-slack');
  await page.getByRole('button', { name: 'Add to Slack' }).click();
  await page.getByText('Slack is told of low scores from now on.').waitFor();
  t.notMatch(await page.content(), 'T024BE7LH');
  t.ok(await page.getByText('Scores below 4').isVisible());
  await inspect(t, page, 'webhook-slack');
});
