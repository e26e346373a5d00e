// Publishes events as a worker does, and does none of a worker's other work.
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { createPublisher } from '../../src/events/publisher.ts';
import { createLog } from '../../src/log.ts';
import { answer } from './child.ts';

const sql = openDatabase(process.env.DATABASE_URL ?? '', { max: 2, applicationName: 'bench publisher' });
const publisher = createPublisher({ store: createStore(sql), log: createLog('warn') });
// In the product, jobs of the writers wake the publisher. Here a timer does.
setInterval(publisher.wake, 50);
answer('', () => true);
