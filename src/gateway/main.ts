import { readFileSync } from 'node:fs';
import { connectBus } from '#bus/connection.ts';
import { choosingRegistry } from '#bus/registry-choice.ts';
import { Failure } from '#contract/failure.ts';
import type { Config, ProcessContext } from '#contract/process-context.ts';
import type { Tls } from '#gateway/http/http-server.ts';
import { startGateway } from './gateway.ts';
import { joinInstallation } from './join-installation.ts';

/** Runs a gateway process: joins the bus, starts to listen, and reports that it is ready. */
export async function runGateway(context: ProcessContext): Promise<void> {
  const { config, log, tracer, installation, processFigures, busUrl, busAuthority } = context;
  requireCertificate(config);
  const connected = await connectBus({
    url: busUrl,
    member: context.busMember,
    credential: context.busCredential,
    authority: busAuthority,
    name: 'muster gateway',
    log,
    tracer,
    installation,
  });
  context.onStop(() => connected.close());
  const bus = choosingRegistry(connected, () => installation.id());
  const joining = joinInstallation(bus, installation, log);
  context.onStop(() => joining.stop());
  const { bind, port, baseUrl } = config;
  const gateway = await startGateway({
    bus,
    bind,
    port,
    baseUrl,
    tls: readTls(config),
    h2c: config.h2c,
    log,
    tracer,
    processFigures,
  });
  context.onStop(() => gateway.stop());
  context.ready({ url: gateway.url });
}

function readTls({ tls }: Config): Tls | undefined {
  return tls === undefined ? undefined : { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
}

/** @throws INVALID_SETTING when it is to listen beyond loopback without a certificate: only `muster start` makes one */
function requireCertificate({ network }: Config): void {
  if (network?.port === undefined) return;
  throw new Failure(
    'INVALID_SETTING',
    `MUSTER_BIND is ${JSON.stringify(network.bind)}, which other machines can reach: it must be a loopback address unless ` +
      'MUSTER_TLS_CERT and MUSTER_TLS_KEY name a certificate and its key. Set both, or bind 127.0.0.1. `muster start` makes its own.',
  );
}
