// Which parts of a form are read, and how much of it.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import t from 'tap';
import { ApiError } from '../../src/errors.ts';
import { readStorableForm } from '../../src/http/form.ts';

const read = async (text: string, maxBytes = 100_000) => [
  ...(await readStorableForm(Readable.from([Buffer.from(text)]) as unknown as IncomingMessage, maxBytes)),
];

t.test('a form loses its zero bytes and nothing else', async (t) => {
  t.strictSame(await read('a=1%00&b=%002&a=3&c=\0%00é'), [
    ['a', '1'],
    ['b', '2'],
    ['a', '3'],
    ['c', 'é'],
  ]);
});

t.test('a form of more than 1,000 fields, or of too many bytes, is rejected', async (t) => {
  t.equal((await read(`a=${'&a='.repeat(999)}`)).length, 1000);
  await t.rejects(read(`a=${'&a='.repeat(1000)}`), new ApiError('invalid_field', 'The form has too many fields.'));
  await t.rejects(read('a=12', 3), { code: 'body_too_large' });
});
