// What SpamAssassin's local rules say of an email. It skips itself where spamassassin isn't installed.
import { spawnSync } from 'node:child_process';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import t from 'tap';
import { en } from '../../src/languages/en.ts';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const MAX_SCORE = 0.5;
/** The rules that may fire, and why. */
const EXPLAINED: Readonly<Record<string, string>> = {
  NO_RECEIVED: 'the email hasn’t been through a mail server',
  NO_RELAYS: 'same',
  HTML_MESSAGE: 'it has HTML, beside the text',
};

const options = { publicUrl: 'https://i.example', from: { name: 'Acme', email: 'surveys@acme.example' } };
const question = { id: 's', type: 'score', label: en.recommend, min_label: en.leastLikely, max_label: en.mostLikely } as const;
const sender = { name: 'Acme', postal_address: 'Acme AS\n0155 Oslo' };
const EMAILS = {
  default: {},
  score: { question },
  logo: { sender: { ...sender, logo_url: 'https://acme.example/logo.png', accent_color: '#ff8800' } },
};

/** The email as it is sent. */
const sourceOf = ({ from, to, subject, text, html, headers }: ReturnType<typeof render>): Promise<Buffer> =>
  new MailComposer({
    ...{ from: { name: from.name, address: from.email }, to: { name: to.name, address: to.email }, subject, text, html, headers },
    date: new Date(),
  })
    .compile()
    .build();

const isMissing = spawnSync('spamassassin', ['--version']).error !== undefined;

for (const [name, more] of Object.entries(EMAILS)) {
  t.test(`the email with ${name}`, { skip: isMissing && 'spamassassin is not installed' }, async (t) => {
    const texts = { subject: en.defaultSubject, message: en.defaultMessage };
    const input = await sourceOf(render(claimedInvitation({ ...texts, sender, workspaceName: 'Acme', ...more }), options));
    const report = spawnSync('spamassassin', ['--local', '--test-mode'], { input, encoding: 'utf8' }).stdout;
    const score = Number(/details: +\((-?[\d.]+) points/.exec(report)?.[1]);
    const rules = [...report.matchAll(/^ *-?[\d.]+ ([A-Z_\d]+) +/gm)].map(([, rule = '']) => rule);
    t.ok(score < MAX_SCORE, `${score}: ${rules.join(', ')}`);
    t.ok(rules.length > 0);
    t.same(
      rules.filter((rule) => !(rule in EXPLAINED)),
      [],
    );
  });
}
