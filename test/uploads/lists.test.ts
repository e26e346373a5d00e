// Lists of any encoding, separator and layout.
import { Readable } from 'node:stream';
import t from 'tap';
import type { NewLine } from '../../src/database/store.ts';
import { type ListRules, readList } from '../../src/uploads/read-upload.ts';
import { delimiterOf, readPasted, readTable, type TableLine } from '../../src/uploads/table.ts';

const rules: ListRules = {
  limits: { maxRecipients: 1000, maxMetadataBytes: 16_384, maxMessageBytes: 65_536 },
  isTimeZone: (name) => name === 'Europe/Oslo',
  isTest: false,
};

/** In pieces of a few bytes, so that letters and line ends are cut apart. */
const inPieces = (bytes: Buffer, size = 3) =>
  Readable.from(Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)));

async function read(lines: AsyncGenerator<TableLine>) {
  const stored: NewLine[] = [];
  const { columns, digest } = await readList(lines, rules, async (part) => void stored.push(...part));
  return {
    columns: columns.map(({ as }) => as),
    digest: digest.toString('hex'),
    stored,
    people: stored.map(({ recipient }) => recipient),
  };
}
const readFile = (bytes: Buffer | string) => read(readTable(inPieces(Buffer.from(bytes))));

const TEXT = 'Name;E-Mail;Land\r\nJürgen Müßig;j@example.com;Österreich\r\n"Ada ""Ä"" L;";ada@example.com;\r\n';

function utf16(text: string, bigEndian: boolean, mark: boolean): Buffer {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}
const windows1252 = (text: string) => Buffer.from(text.replaceAll('–', '\x96'), 'latin1');

t.test('each encoding gives the same lines, and the same digest', async (t) => {
  const encoded = {
    'UTF-8': Buffer.from(TEXT),
    'UTF-8 with a mark': Buffer.from(`\ufeff${TEXT}`),
    'UTF-16LE with a mark': utf16(TEXT, false, true),
    'UTF-16BE with a mark': utf16(TEXT, true, true),
    'UTF-16LE': utf16(TEXT, false, false),
    'UTF-16BE': utf16(TEXT, true, false),
    'Windows-1252': windows1252(TEXT),
  };
  const digests = new Set<string>();
  for (const [encoding, bytes] of Object.entries(encoded)) {
    const { columns, people, digest } = await readFile(bytes);
    t.same(columns, ['name', 'email', null], encoding);
    t.match(
      people,
      [
        { email: 'j@example.com', name: 'Jürgen Müßig' },
        { email: 'ada@example.com', name: 'Ada "Ä" L;' },
      ],
      encoding,
    );
    digests.add(digest);
  }
  t.equal(digests.size, 1);
  const { people } = await readFile(windows1252('email,name\na@example.com,Zürich – €'.replace(' – €', ' – x')));
  t.match(people, [{ name: 'Zürich – x' }], 'also what Latin-1 has not');
});

t.test('separators', async (t) => {
  t.equal(delimiterOf('a;b;c,d\n'), ';');
  t.equal(delimiterOf('"a;b;c",d\n'), ',');
  t.equal(delimiterOf('a\tb,c\n'), '\t');
  t.equal(delimiterOf('sep=;\r\na,b,c,d'), ';');
  t.equal(delimiterOf('alone\n'), ',');
  for (const separator of [',', ';', '\t']) {
    const { people } = await readFile(['name', 'email'].join(separator).concat('\nAda', separator, 'ada@example.com\n'));
    t.match(people, [{ email: 'ada@example.com', name: 'Ada' }], JSON.stringify(separator));
  }
  const { stored } = await readFile('sep=;\r\nemail;name\r\nada@example.com;Ada\r\n');
  t.match(stored, [{ number: 3, recipient: { email: 'ada@example.com', name: 'Ada' } }]);
});

t.test('line ends, empty lines, and line numbers', async (t) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { stored } = await readFile(['email', 'a@example.com', 'b@example.com'].join(end));
    t.same(
      stored.map(({ recipient }) => recipient?.email),
      ['a@example.com', 'b@example.com'],
      JSON.stringify(end),
    );
  }
  const { stored } = await readFile('email,name\n\na@example.com,"A\nB"\n,,\nbad,C\n');
  t.match(stored, [
    { number: 4, recipient: undefined },
    { number: 6, recipient: undefined },
  ]);
});

t.test('what a person pastes', async (t) => {
  const one = await read(readPasted('  ada@example.com '));
  t.match(one.people, [{ email: 'ada@example.com' }]);
  const several = await read(readPasted('Ada Lovelace <ada@example.com>, bo@example.com; cy@example.com\ndi@example.com'));
  t.match(several.people, [
    { email: 'ada@example.com', name: 'Ada Lovelace' },
    { email: 'bo@example.com' },
    { email: 'cy@example.com' },
    { email: 'di@example.com' },
  ]);
  const lines = await read(readPasted('ada@example.com\nbo@example.com'));
  t.equal(lines.people.length, 2);
  const sheet = await read(
    readPasted('First name\tLast name\tMail\tSprache\tTime zone\nAda\tLovelace\tada@example.com\tGerman\tEurope/Oslo\n'),
  );
  t.match(sheet.people, [{ email: 'ada@example.com', name: 'Ada Lovelace', language: 'de', time_zone: 'Europe/Oslo' }]);
  const bare = await read(readPasted('Ada\tada@example.com\nBo\tbo@example.com'));
  t.match(bare.people, [{ name: 'Ada' }, { name: 'Bo' }], 'without headings, the other column is the name');
});

t.test('what shops call their customers is their name', async (t) => {
  for (const heading of [
    'Kunde',
    'Kundin',
    'Kunden-Name',
    'Empfänger',
    'Client',
    'Nom du client',
    'Cliente',
    'Klant',
    'Kundenavn',
    'Kund',
  ]) {
    const { people } = await readFile(`${heading};E-Mail;Kundennummer\nJörg Müller;joerg@example.com;17\n`);
    t.match(people, [{ email: 'joerg@example.com', name: 'Jörg Müller' }], heading);
  }
});

t.test('a line is invalid for one of these, and the others are read', async (t) => {
  const { stored } = await readFile(
    [
      'email,language,time zone',
      'nobody,,',
      'a@b@c.com,,',
      ',,',
      'ada@example.com,klingon,',
      'bo@example.com,,Mars/Base',
      'ünï@example.com,,',
      'di@sim.invalid,,',
      'ok@bücher.example,da,Europe/Oslo',
    ].join('\n'),
  );
  t.same(
    stored.map(({ recipient }) => recipient?.email),
    [undefined, undefined, undefined, undefined, undefined, undefined, 'ok@xn--bcher-kva.example'],
  );
});

t.test('a list that is not one', async (t) => {
  await t.rejects(readFile(''), { code: 'no_lines' });
  await t.rejects(readFile('\n ,\n'), { code: 'no_lines' });
  await t.rejects(readFile('email\n'), { code: 'no_lines' });
  await t.rejects(readFile(`email\n"${'x\n'.repeat(20_000)}`), { code: 'line_too_long' });
  await t.rejects(readFile(`email${','.repeat(60)}x\n`), { code: 'too_many_columns', line: 1 });
  await t.rejects(read(readTable(Readable.from([Buffer.from('a@example.com\n'.repeat(20_001))]))), { code: 'too_many_lines' });
});
