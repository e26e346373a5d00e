// LibreOffice reads the CSV as intended. The test is skipped where LibreOffice isn't installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { columnsOf } from '../../src/console/results/columns.ts';
import { BYTE_ORDER_MARK, headerLine, resultLine } from '../../src/console/results/csv-view.ts';
import type { Result } from '../../src/database/store.ts';

const installed = spawnSync('soffice', ['--version']).status === 0;

t.test(
  'LibreOffice reads each answer into its cell, and takes none for a formula',
  {
    skip: installed ? false : 'LibreOffice (soffice) is not installed',
  },
  async (t) => {
    const folder = t.testdir({});
    const questions = [
      { id: 'score', type: 'score', label: 'Score' },
      { id: 'why', type: 'text', label: 'Why, if "any"?' },
    ] as const;
    const columns = { ...columnsOf(questions, [], ['order']), named: false };
    const comments = [
      '=1+1',
      '=HYPERLINK("http://evil.example","Look")',
      'two\nlines; and "quotes", and a comma',
      'Grüße, 你好 🎉',
      '+1',
      '@sum',
    ];
    const lines = comments.map((why, index) =>
      resultLine(
        {
          id: String(index + 1),
          submittedAt: new Date('2030-01-31T09:08:07.654Z'),
          answers: { score: -index, why },
          attribution: 'direct',
          invitationId: null,
          batchId: null,
          email: null,
          name: null,
          metadata: { order: `A-${index}` },
          questionsVersion: 1,
          erasedAt: null,
          language: null,
          clickedInEmail: null,
        } satisfies Result,
        columns,
      ),
    );
    const [source, out] = [join(folder, 'results.csv'), join(folder, 'out')];
    writeFileSync(source, BYTE_ORDER_MARK + headerLine(columns) + lines.join(''));
    // The import options: comma (44), double quote (34), UTF-8 (76), from line 1.
    const form = '44,34,76,1';
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    const to = `csv:Text - txt - csv (StarCalc):${form}`;
    execFileSync('soffice', ['--headless', profile, `--infilter=CSV:${form}`, '--convert-to', to, '--outdir', out, source], {
      stdio: 'pipe',
    });
    const read = readFileSync(join(out, 'results.csv'), 'utf8');
    t.match(read, '"Score","Why, if ""any""?","metadata: order","other"');
    for (const [index, comment] of comments.entries()) {
      const cell = `${/^[=+@]/.test(comment) ? "'" : ''}${comment}`.replaceAll('"', '""');
      t.ok(read.includes(`,${-index},"${cell}","A-${index}"`), comment);
    }
  },
);
