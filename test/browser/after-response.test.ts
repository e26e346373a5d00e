// What people see after a response, made in the editor by keyboard, seen in its frame, and got by who responds; with scripts and without.
import t from 'tap';
import { createSurvey } from '../fixtures/setup.ts';
import { inspect, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);

t.test('an editor writes a thank-you text by score, and people get that of their score', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const { workspace, survey } = await createSurvey(store);
    const editor = `kim@${workspace}.example`;
    await store.upsertMember(workspace, editor, 'editor');
    const page = await open(t, { javaScriptEnabled });
    await signIn(page, editor);
    await page.goto(`/surveys/${survey}/questions`);
    const summary = page.getByText('Thank-you text by score');
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('After 0–6').focus();
    await page.keyboard.insertText('We are sorry.\nWe read every word.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('Wonderful! مرحبا');
    const keep = page.getByRole('button', { name: 'Keep as a draft' }).last();
    if (javaScriptEnabled) await page.getByText('Kept as a draft', { exact: true }).waitFor();
    else await keep.press('Enter');
    await page.getByLabel('Answered').check();
    await page.getByLabel('After', { exact: true }).selectOption('high');
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).press('Enter');
    const frame = page.frameLocator('.screen iframe >> nth=-1');
    await frame.getByText('Wonderful!').waitFor();
    if (javaScriptEnabled) await inspect(t, page, 'editor-thanks');
    await page.getByRole('button', { name: 'Publish' }).press('Enter');
    await page.getByText('thanks people in other words for some scores').waitFor();
    await page.getByRole('button', { name: 'Publish' }).press('Enter');
    await page.getByText('Questions published.').waitFor();

    const guest = await open(t, { javaScriptEnabled });
    for (const [score, text] of [
      ['6', 'We are sorry.'],
      ['8', 'Your response has been recorded.'],
      ['9', 'Wonderful!'],
    ] as const) {
      await guest.goto(`/s/${survey}`);
      await guest.getByRole('radio', { name: score, exact: true }).press('Space');
      await guest.getByRole('button', { name: 'Submit' }).press('Enter');
      await guest.getByText(text).waitFor();
      await guest.reload();
      await guest.getByText(text).waitFor();
    }
    if (javaScriptEnabled) await inspect(t, guest, 'thanks-by-score');
    const [row] = await sql`select count(*)::integer as responses from invite.responses where survey_id = ${survey}`;
    t.equal(row?.responses, 3, 'a reload sends nothing');
  }
});
