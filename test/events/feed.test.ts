// Readers of several databases wait apart, so that one which doesn't respond delays no other's.
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import t from 'tap';
import { createFeed } from '../../src/events/feed.ts';

const request = { socket: new EventEmitter() } as unknown as IncomingMessage;

t.test('each database is asked for its own readers', async (t) => {
  const asked = new Set<string | undefined>();
  const hangs = Promise.withResolvers<string>();
  const publishedTo = (home?: string) => {
    asked.add(home?.slice(0, 4));
    return home?.startsWith('aaaa') ? hangs.promise : Promise.resolve('6');
  };
  const feed = createFeed({ publishedTo }, 1);
  const stuck = feed.wait('one', '5', 120_000, request, 'aaaa0001');
  t.equal(await feed.wait('two', '5', 120_000, request, 'bbbb0001'), true);
  t.equal(await feed.wait('three', '5', 120_000, request, 'bbbb0002'), true);
  t.same([...asked].sort(), ['aaaa', 'bbbb']);
  hangs.resolve('6');
  t.equal(await stuck, true);
  feed.close();
});
