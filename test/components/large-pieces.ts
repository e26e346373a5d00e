// The large pieces, each on a page of its own: Results, what a search found, the editor of questions, opening hours, translations.
import { emailPreviewPage } from '../../src/console/api-trigger/email-preview-view.ts';
import { secretMain } from '../../src/console/api-trigger/token-view.ts';
import { form } from '../../src/console/components.ts';
import { framePage } from '../../src/console/frame.ts';
import { previewMain } from '../../src/console/invitations/test-email-view.ts';
import { resultsMain } from '../../src/console/results/results-view.ts';
import { closedDaysField } from '../../src/console/rules/closed-days-field.ts';
import { hoursGrid } from '../../src/console/rules/hours-grid.ts';
import { groupsOf, searchMain } from '../../src/console/search/search-view.ts';
import { senderMain } from '../../src/console/sender/sender-view.ts';
import { type Edited, questionsMain } from '../../src/console/surveys/questions-view.ts';
import { testEmailMain } from '../../src/console/tests/outbox-view.ts';
import { importMain } from '../../src/console/translations/import-view.ts';
import { textPairs } from '../../src/console/translations/text-pairs.ts';
import type { SearchHit } from '../../src/database/store.ts';
import { type Html, html } from '../../src/html/html.ts';
import { LOGO, NOW, page, SURVEY, WORKSPACE } from './frames.ts';
import { RESULTS_VIEW } from './result-pieces.ts';
import { ADDRESS, ARABIC, TITLE, UNBROKEN } from './texts.ts';
import { QUESTIONS } from './whole-pages.ts';

const inFrame = (title: string, main: Html): string => framePage(page, { title, survey: SURVEY, tab: 'questions' }, main);

const draft = { revision: '2', questions: [], questionsVersion: 1, editedBy: ADDRESS, editedAt: NOW, replacedAt: null };
const edited: Edited = {
  survey: SURVEY,
  settings: {
    ...{ title: TITLE, publicUrl: null, openResponses: true, thanks: null, buttonLabel: null, buttonUrl: null, questions: [] },
    ...{
      questionsVersion: 1,
      isAsked: true,
      responses: 10_001,
      pastIds: [],
      language: 'en',
      translations: null,
      translatedFrom: null,
    },
  },
  draft,
  replaced: [draft],
};
const drafts = [...QUESTIONS, { id: 'old', type: 'text' as const, label: UNBROKEN, removed: true as const }];
const said = { version: 1, revision: '2' };

const pair = (name: string, original: string, value: string) => ({
  ...{ name, label: 'Question', original, value, said: '', maxLength: 1000 },
});

const email = {
  ...{ id: '1', sentAt: NOW, surveyId: SURVEY.surveyId, surveyTitle: TITLE, invitationId: '1', messageNumber: 1 },
  email: {
    ...{ to: { name: UNBROKEN, email: ADDRESS }, from: { name: ARABIC, email: ADDRESS }, subject: TITLE, text: '', html: '' },
    ...{ headers: { 'List-Unsubscribe': UNBROKEN }, links: { survey: `https://surveys.example/${UNBROKEN}`, unsubscribe: '#' } },
  },
};

export const HITS: SearchHit[] = (['person', 'invitation', 'response', 'survey'] as const).flatMap((found) =>
  [TITLE, ARABIC].map((text, index) => ({
    ...{
      found,
      id: String(index),
      surveyId: SURVEY.surveyId,
      surveyTitle: text,
      email: ADDRESS,
      name: text,
      detail: text,
      at: NOW,
    },
  })),
);

/** By the page's address. */
export const LARGE_PIECES: Readonly<Record<string, () => string>> = {
  '/results': () => inFrame('Results', resultsMain(RESULTS_VIEW)),
  '/search': () => inFrame('Search', searchMain(page, WORKSPACE, 'hut', groupsOf(WORKSPACE, 'hut', HITS, [], 5))),
  '/editor': () =>
    inFrame(
      'Questions',
      questionsMain(page, edited, {
        ...{ ...said, drafts, others: draft },
        errors: [{ index: 0, field: 'label', text: 'Enter a question of at most 1,000 characters.' }, { text: TITLE }],
      }),
    ),
  '/editor-empty': () => inFrame('Questions', questionsMain(page, { ...edited, draft: undefined }, { ...said, drafts: [] })),
  '/hours': () =>
    inFrame(
      'When emails leave',
      html`<section class="card panel two" aria-labelledby="when"><div class="about"><h2 id="when">When emails may leave</h2></div><div>${form(
        'csrf',
        html`${hoursGrid({
          ...{ label: 'Hours', hint: TITLE, value: '{[480,720),[780,1200),[1920,2640)}' },
          errors: [{ day: 'tue', code: 'order', pair: 0, end: 'to' }],
        })}${closedDaysField('2026-12-24..2026-12-26', 'Enter dates such as 2026-12-24.')}<p class="actions"><button type="submit">Save</button></p>`,
      )}</div></section>`,
    ),
  '/translations': () =>
    inFrame(
      'Translations',
      form(
        'csrf',
        html`${textPairs(
          [
            pair('short', 'How was it?', ARABIC),
            { ...pair('long', TITLE, ''), rows: 4, before: UNBROKEN },
            { ...pair('none', '', ''), error: 'At most 1,000 characters.' },
            { ...pair('both', 'Thank you', ARABIC), rows: 4, theirs: UNBROKEN },
            { ...pair('removed', TITLE, ARABIC), theirs: '' },
          ],
          'en',
          'ar',
        )}<p class="actions"><button type="submit">Save</button></p>`,
      ),
    ),
  '/import': () =>
    inFrame(
      'Import',
      importMain(page, {
        ...{ language: 'ar', unknown: [UNBROKEN], back: '#' },
        changes: [
          { name: 'title', label: 'Title', before: '', after: ARABIC },
          { name: 'label', label: TITLE, before: TITLE, after: UNBROKEN, error: 'At most 1,000 characters.' },
        ],
      }),
    ),
  '/email-preview': () =>
    emailPreviewPage(
      {
        ...{ from: { name: ARABIC, email: ADDRESS }, to: { name: UNBROKEN, email: ADDRESS }, subject: TITLE },
        ...{ html: '<!DOCTYPE html><title>Email</title><p>An email</p>', text: UNBROKEN },
      },
      TITLE,
    ),
  '/sender': () =>
    inFrame(
      'Sender',
      senderMain(page, { sender: { name: TITLE, logo_url: LOGO, logo_alt: ARABIC }, domains: [UNBROKEN], from: TITLE }),
    ),
  '/secret': () =>
    inFrame(
      'New secret',
      secretMain(
        page,
        { survey: SURVEY, id: '1', name: UNBROKEN, secret: `its_eu_${UNBROKEN}`, endpoint: 'https://surveys.example' },
        NOW,
      ),
    ),
  '/email': () => inFrame('Email', testEmailMain(page, WORKSPACE, email)),
  '/survey-preview': () => inFrame('Preview', previewMain(SURVEY, { ...edited.settings, questions: QUESTIONS }, 'de', undefined)),
};
