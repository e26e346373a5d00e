// The CSV of the Results: quotes, numbers, formulas, columns and lines.
import t from 'tap';
import { columnsOf } from '../../src/console/results/columns.ts';
import { csvCell, csvFileName, csvLine, headerLine, resultLine } from '../../src/console/results/csv-view.ts';
import type { Result } from '../../src/database/store.ts';

t.test('a text is quoted, its own quotes are doubled, and a line ends in CR LF', async (t) => {
  t.equal(csvLine(['a', 'b "c", d', 'two\r\nlines', '', null, 7, 'Zoë 🙂']), '"a","b ""c"", d","two\r\nlines",,,7,"Zoë 🙂"\r\n');
});

t.test('only a text that begins like a formula gets an apostrophe', async (t) => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    t.equal(csvCell(`${sign}1+1`), `"'${sign}1+1"`, JSON.stringify(sign));
  }
  for (const text of ['1-2', "'=1", ' =1', 'a@example.com', '"=1"']) t.equal(csvCell(text), `"${text.replaceAll('"', '""')}"`);
  t.equal(csvCell('=cmd|\'/c calc\'!A1","'), `"'=cmd|'/c calc'!A1"","""`, 'quotes in it do not end the cell');
});

t.test('a cell that begins after another separator gets an apostrophe too', async (t) => {
  for (const separator of [';', '\t', '\n', '\r\n', '; '])
    for (const sign of ['=', '+', '-', '@', '＝']) {
      t.equal(csvCell(`good${separator}${sign}1+1`), `"good${separator}'${sign}1+1"`, JSON.stringify(separator + sign));
    }
  // A spreadsheet drops a quote with which a cell begins.
  t.equal(csvCell('good;"=1+1&";x'), `"good;""'=1+1&"";x"`);
  t.equal(csvCell('good\n "" @x'), `"good\n """" '@x"`);
  for (const text of ['a;b', 'two\nlines', 'a, -b', '1;2-3']) t.equal(csvCell(text), `"${text}"`);
  t.equal(csvCell('a;"b" = c'), `"a;""b"" = c"`);
  t.equal(csvCell('=1;=2'), `"'=1;'=2"`);
  t.equal(csvCell('\n=1'), `"'\n'=1"`);
});

t.test('a number stays a number, a negative one too; a text that looks like a number stays a text', async (t) => {
  t.equal(csvLine([-5, 1.5, '-5', '7', Number.NaN]), `-5,1.5,"'-5","7",\r\n`);
});

const result: Result = {
  id: '12',
  submittedAt: new Date('2030-01-31T09:08:07.654Z'),
  answers: { score: -3, why: '=1+1', old: ['a', { b: 1 }] },
  questionsVersion: 1,
  erasedAt: null,
  language: 'pt-BR',
  clickedInEmail: 'score',
  attribution: 'invitation',
  invitationId: '34',
  batchId: 'b-1',
  email: '+ada@example.com',
  name: null,
  metadata: { n: 1, big: { list: [1, 2] }, none: null, more: true, constructor: 'x' },
};
const questions = [
  { id: 'score', type: 'score', label: 'Score' },
  { id: 'why', type: 'text', label: '@Why' },
] as const;

t.test('a line has the whole response: questions, other answers, metadata, and the rest as JSON', async (t) => {
  const columns = { ...columnsOf(questions, ['why', 'old'], ['n', 'big', 'none']), named: true };
  t.equal(
    headerLine(columns),
    '"response","submitted at (UTC)","attribution","invitation","batch","language","clicked in email","email","name","Score","\'@Why","old","metadata: n","metadata: big","metadata: none","other"\r\n',
  );
  t.equal(
    resultLine(result, columns),
    `12,"2030-01-31 09:08:07.654","invitation",34,"b-1","pt-BR","score","'+ada@example.com",,-3,"'=1+1","[""a"",{""b"":1}]",1,"{""list"":[1,2]}",,"{""metadata"":{""more"":true,""constructor"":""x""}}"\r\n`,
  );
});

t.test("viewers get no columns of names and addresses, and inherited properties aren't metadata", async (t) => {
  const columns = { ...columnsOf([], [], ['toString']), named: false };
  t.notMatch(headerLine(columns), /"email"|name/);
  const [line] = resultLine(result, columns).split('"{');
  t.equal(line, '12,"2030-01-31 09:08:07.654","invitation",34,"b-1","pt-BR","score",,');
});

t.test('the file is named for the survey and the day, in ASCII', async (t) => {
  const now = new Date('2030-01-31T23:59:00Z');
  t.equal(csvFileName('Über uns: "Zufriedenheit"\r\n', 'id', now), 'results-uber-uns-zufriedenheit-2030-01-31.csv');
  t.equal(csvFileName('顧客', 'a:B.1', now), 'results-a-b-1-2030-01-31.csv');
  t.ok(csvFileName('x'.repeat(255), 'id', now).length < 90);
});
