// A fake process of muster: `fake-member.ts <registry|host|gateway>`. It joins the bus as the real one does,
// and notes in `events` of the state folder what happens to it. FAKE_<NAME> chooses how it behaves.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import { type BusUser, busUsers } from '#contract/access/bus-member.ts';
import { readConfig } from '#service/config.ts';
import { runProcess } from '#service/process.ts';

const name: BusUser = busUsers.find((user) => user === process.argv[2]) ?? 'start';
const behaviour = process.env[`FAKE_${name.toUpperCase()}`];

await runProcess(name, readConfig(process.env), async (context) => {
  const { config, busUrl, busCredential } = context;
  const note = (event: string): void =>
    appendFileSync(join(config.home, 'events'), `${event} ${name} ${process.pid}\n`);
  if (behaviour === 'fail') throw new Error('the database is broken');
  const connection = await connect({
    servers: busUrl,
    authenticator: authenticatorOf(busCredential),
  });
  context.onStop(() => connection.close());
  context.onStop(() => note('stop'));
  if (behaviour === 'hang') context.onStop(() => new Promise(() => {}));
  if (behaviour === 'stumble') {
    context.onStop(() => {
      throw new Error('one step of the stop fails');
    });
  }
  note('start');
  context.ready(name === 'gateway' ? { url: config.baseUrl } : {});
  if (behaviour === 'throw') {
    setTimeout(() => {
      throw new Error('nobody catches this');
    }, 10);
  }
  if (behaviour === 'forget') setTimeout(() => Promise.reject(new Error('nobody waits for this')), 10);
});
