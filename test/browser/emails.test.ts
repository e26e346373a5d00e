// Emails that ask a question, as a browser shows them: on a phone, in dark, from right to left, and without pictures.
import { mkdirSync } from 'node:fs';
import t from 'tap';
import { LANGUAGES, speak } from '../../src/languages/languages.ts';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';
import { startBrowser, violations } from './browser.ts';

const PICTURES = new URL('../../.data/screenshots/', import.meta.url).pathname;
const { open } = await startBrowser(t);
const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const score = {
  id: 'score',
  type: 'score',
  label: LANGUAGES.en.recommend,
  min_label: LANGUAGES.en.leastLikely,
  max_label: LANGUAGES.en.mostLikely,
} as const;
const choice = {
  id: 'how',
  type: 'choice',
  label: 'How was the delivery of your order, which we had promised for this week?',
  choices: [
    'On time',
    'Late, but I was told',
    'Late, and nobody told me anything about it, although I had asked twice',
    'W'.repeat(60),
  ],
} as const;
const DEFAULT = { subject: LANGUAGES.en.defaultSubject, message: LANGUAGES.en.defaultMessage };

const EMAILS = {
  score: {
    ...DEFAULT,
    question: score,
    workspaceName: 'Fjord Outdoor',
    sender: { accent_color: '#0f766e', postal_address: 'Fjord Outdoor AS\nOslo' },
  },
  'score-ar': { ...DEFAULT, question: score, language: 'ar', name: 'ليلى', workspaceName: 'متجر الفيورد' },
  'score-ja': { ...DEFAULT, question: score, language: 'ja', name: '佐藤', workspaceName: 'フィヨルド' },
  'score-feel': { ...DEFAULT, question: { id: 's', type: 'score', label: 'How do you feel?', min: -5, max: 5 } as const },
  choice: { ...DEFAULT, question: choice, sender: { logo_url: 'https://i.example/missing.png', logo_alt: 'Fjord Outdoor' } },
};

t.test('an email with a question fits each width in light and dark, and its scores stand in one row', async (t) => {
  mkdirSync(PICTURES, { recursive: true });
  const page = await open(t);
  await page.route('**/*', (route) => route.abort());
  for (const [name, more] of Object.entries(EMAILS)) {
    const { html } = render(claimedInvitation(more), options);
    await page.setContent(html);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 390, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 760 });
        await page.screenshot({ path: `${PICTURES}email-${name}-${colorScheme}-${width}.png`, fullPage: true });
        const what = `${name}, ${colorScheme}, ${width}`;
        t.notOk(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'), what);
        const boxes = await page.locator('.answer').evaluateAll((cells) =>
          cells.map((cell) => {
            const { top, left, width, height } = cell.getBoundingClientRect();
            const link = cell.firstElementChild?.getBoundingClientRect();
            return {
              top,
              left,
              width,
              height,
              link: (link?.width ?? 0) * (link?.height ?? 0),
              lines: cell.scrollWidth <= cell.clientWidth + 1,
            };
          }),
        );
        t.ok(
          boxes.every((box) => box.lines && box.width >= 20 && box.height >= 24 && box.link > 0.6 * box.width * box.height),
          `${what}: nothing is cut off, and all of a cell is its link`,
        );
        if (name === 'choice') continue;
        t.equal(new Set(boxes.map(({ top }) => top)).size, 1, `${what}: one row`);
        t.equal((boxes[0]?.left ?? 0) < (boxes[10]?.left ?? 0), name !== 'score-ar', `${what}: the direction of its language`);
        const found = (await violations(page)).filter((violation) => !/region|landmark|heading/.test(violation));
        t.same(found, [], what);
      }
  }
});

t.test('what a screen reader reads of the row is the number', async (t) => {
  const page = await open(t);
  await page.setContent(render(claimedInvitation({ ...EMAILS['score-ar'] }), options).html);
  t.equal(await page.getByRole('link', { name: speak('ar').number(10), exact: true }).count(), 1);
  t.equal(await page.getByRole('table').count(), 0, 'tables are for the layout alone');
});
