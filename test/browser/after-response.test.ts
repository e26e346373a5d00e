// What people see after a response, made in the editor by keyboard, seen in its frame, and got by who responds; with scripts and without.
import t from 'tap';
import { createSurvey } from '../fixtures/setup.ts';
import { inspect, refused, startBrowser } from './browser.ts';

const { store, sql, open, signIn } = await startBrowser(t);
const SCORE = { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true };
const THANKS = {
  low_thanks: 'We are sorry. Somebody who can change it reads what you wrote.',
  middle_thanks: 'Thank you! What would make it a ten?',
  high_thanks: 'Wonderful! مرحبا',
};

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
    await page.getByLabel('Thank-you page').check();
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

t.test('an editor adds a button, and everybody gets it below the text of their score, on a phone', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const { workspace, survey } = await createSurvey(store);
    await store.upsertSurvey({ workspaceId: workspace, id: survey, questions: [{ ...SCORE, ...THANKS }] });
    const editor = `kim@${workspace}.example`;
    await store.upsertMember(workspace, editor, 'editor');
    const page = await open(t, { javaScriptEnabled });
    await signIn(page, editor);
    await page.goto(`/surveys/${survey}/settings`);
    const form = page.getByRole('region', { name: 'Button after the response' });
    await form.getByLabel('Text').fill('Review us on Fjord Reviews 🙂');
    await form.getByLabel('Address').fill('http://reviews.example');
    await form.getByRole('button', { name: 'Save the button' }).click();
    await refused(t, page, 'An address starts with https');
    t.equal(await form.getByLabel('Text').inputValue(), 'Review us on Fjord Reviews 🙂', 'what was typed stays');
    await form.getByLabel('Address').fill('https://reviews.example/fjord?from=survey');
    if (javaScriptEnabled) await inspect(t, page, 'button-settings');
    await form.getByRole('button', { name: 'Save the button' }).click();
    await page.getByText('Changes saved.').waitFor();

    const guest = await open(t, { javaScriptEnabled, viewport: { width: 390, height: 844 } });
    await guest.route('https://reviews.example/**', (route) => route.fulfill({ body: 'Reviews' }));
    for (const [score, text] of [
      ['0', THANKS.low_thanks],
      ['7', THANKS.middle_thanks],
      ['10', THANKS.high_thanks],
    ] as const) {
      await guest.goto(`/s/${survey}`);
      await guest.getByRole('radio', { name: score, exact: true }).check();
      await guest.getByRole('button', { name: 'Submit' }).click();
      const thanks = guest.getByText(text);
      await thanks.waitFor();
      for (const other of Object.values(THANKS)) t.equal(await guest.getByText(other).count(), other === text ? 1 : 0, score);
      const button = guest.getByRole('link', { name: 'Review us on Fjord Reviews 🙂' });
      const [above, box] = [await thanks.boundingBox(), await button.boundingBox()];
      t.ok((box?.y ?? 0) >= (above?.y ?? 0) + (above?.height ?? 0) + 8, 'it is below the text, with room between');
      t.ok((box?.height ?? 0) >= 44 && (box?.width ?? 0) > 250, 'a thumb finds it');
      t.ok((box?.y ?? 0) + (box?.height ?? 0) <= 844, 'without scrolling');
      await button.click();
      t.equal(guest.url(), 'https://reviews.example/fjord?from=survey');
    }
    await guest.goBack();
    if (javaScriptEnabled) await inspect(t, guest, 'thanks-button');
  }
});
