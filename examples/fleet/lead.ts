import { type Mail, type Part, type Stage, takeMail } from './part.ts';

const languages = ['en', 'de', 'fr'];

interface Agent {
  readonly id: string;
  readonly name: string;
  readonly workflowId: string;
}

/** Has greetings written by three agents, mails each of them, waits until all have reported, and sends them off. */
export const lead: Part = async (text, stage) => {
  if (!/three greetings/.test(text)) {
    stage.say('● I only know how to have three greetings written.');
    return;
  }
  const team = await stage.during('Launching three implementers…', () => fanOut(stage));
  stage.say(`● Launched ${team.map(({ name }) => name).join(', ')}.`);
  await stage.during('Writing mail…', () => Promise.all(team.map((one) => mailTo(one, stage))));
  stage.say('● Mailed all three: sign your work, and report.');
  const reports = await stage.during('Waiting for three reports…', () => reportsOf(team, stage));
  for (const { fromName = '', body = '' } of reports) stage.say(`● ${fromName} reports ${body}`);
  await stage.during('Sending them off…', () =>
    Promise.all(team.map(({ id }) => stage.tools.call('archive_agent', { agentId: id }))),
  );
  await stage.tools.call('record_metadata', {
    metadata: reports.map(({ fromName = '', body = '' }) => ({ key: fromName, value: body })),
  });
  stage.say('● All three have reported. Done.');
};

async function fanOut({ tools }: Stage): Promise<Agent[]> {
  const agentId = process.env['SERVICE_AGENT_ID'] ?? '';
  const { agent: row } = await tools.call<{ agent: { agent: Agent } }>('get_agent', { agentId });
  const launch = async (language: string): Promise<Agent> => {
    const { agent } = await tools.call<{ agent: Agent }>('create_agent', {
      workflowId: row.agent.workflowId,
      title: `greet-${language}`,
      prompt: `Write greetings/${language}.txt and commit it.`,
      flags: 'implementer',
      // A second try after a crash is answered with the same agent.
      idempotencyKey: `greet-${language}`,
    });
    return agent;
  };
  return Promise.all(languages.map(launch));
}

async function mailTo({ id }: Agent, { tools }: Stage): Promise<void> {
  await tools.call('send_mail', {
    agentId: id,
    subject: 'sign your work, and report',
    body: 'Add a line to SIGNED.txt, commit it, and mail me your branch and commit.',
    idempotencyKey: `sign ${id}`,
  });
}

/** Waits for its doorbell instead of being typed at, and takes mail until each has reported. */
async function reportsOf(team: readonly Agent[], stage: Stage): Promise<Mail[]> {
  const reports = new Map<string, Mail>();
  let cursor = '';
  while (team.some(({ id }) => !reports.has(id))) {
    const bells = await stage.tools.call<{ cursor?: string }>('wait_for_doorbells', { ...(cursor && { cursor }) });
    cursor = bells.cursor ?? '';
    for (const mail of await takeMail(stage)) reports.set(mail.fromAgentId ?? '', mail);
  }
  return team.flatMap(({ id }) => reports.get(id) ?? []);
}
