// Sending limits, in a browser: an owner sees what the operator has set, sets a lower number, and reads what waits and until when.
import t from 'tap';
import { OWNER, openShop } from '../fixtures/shop.ts';
import { inspect, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const { workspace } = await openShop(store, sql);

t.test('from the page Sending to a limit, and back', async (t) => {
  const page = await open(t);
  await signIn(page, OWNER);
  await page.goto(`/workspaces/${workspace}/sending`);
  await page.getByRole('link', { name: 'Limit how many go out in an hour' }).click();
  await page.getByText('There are no limits.').waitFor();
  await page.getByLabel('Which emails').selectOption('Email to a domain');
  await page.getByLabel('Domain').fill('gmail');
  await page.getByLabel('At most in an hour').fill('200');
  await page.getByRole('button', { name: 'Save limit' }).click();
  await refused(t, page, 'Enter a domain such as example.com.');
  await page.getByLabel('Domain').fill('Gmail.com');
  await page.getByRole('button', { name: 'Save limit' }).click();
  await page.getByText('Limit saved.').waitFor();
  await page.getByText('To gmail.com').waitFor();

  const longest = `${'long-label-'.repeat(5)}.`.repeat(4).slice(0, 200);
  await store.setCap(workspace, 'workspace', '', { perHour: 5000, perDay: null });
  await store.setCap(workspace, 'recipient', `${longest.replace(/\.$/, '')}.example`, { perHour: 10, perDay: 100 });
  await store.setSharedCap('yahoo.com', { perHour: 100_000, perDay: null });
  await sql`update invite.workspaces set sender = jsonb_build_object('email', 'news@news.shop.example') where id = ${workspace}`;
  await store.setEarnedCap(workspace, 'news.shop.example', true);
  await sql`update invite.caps set earned_days = 1 where workspace_id = ${workspace} and scope = 'sender'`;
  for (const [scope, domain] of [
    ['workspace', ''],
    ['sender', 'news.shop.example'],
  ])
    await sql`
      insert into invite.cap_slots (workspace_id, scope, domain, slot, large, used)
      select ${workspace}, ${scope ?? ''}::invite.cap_scope, ${domain ?? ''}, date_trunc('hour', now(), 'UTC') + n * interval '1 hour', 60, case n when 0 then 60 else 0 end
      from generate_series(0, 12) as n`;
  await page.goto(`/workspaces/${workspace}/limits`);
  await page.getByText('set by the service').first().waitFor();
  t.match(
    await page.locator('main').innerText(),
    /news\.shop\.example has earned 100 emails a day\. It becomes 300 after one more day with at least 50 emails and no warning; today has them\./,
  );
  await inspect(t, page, 'limits');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '.data/screenshots/limits-phone-dark.png', fullPage: true });
  await page.getByRole('row', { name: 'All email' }).getByRole('link', { name: 'Change' }).click();
  await page.getByLabel('At most in an hour').fill('1,000');
  await page.getByRole('button', { name: 'Save limit' }).click();
  await page.getByText('yours; the service allows 5,000').waitFor();
  await page.goto(`/workspaces/${workspace}/sending`);
  await page.getByText(/720 emails wait for their turn under a sending limit/).waitFor();
});
