/** A port on 127.0.0.1 inside, and the Unix socket to which its connections are passed on. */
export interface Relay {
  readonly port: number;
  /** The socket's path inside. */
  readonly socket: string;
}

/** The variable that carries a prompt past the shell that starts the relays, which would drop it. */
export const promptVariable = 'MUSTER_PS1';

/** The part of a shell script that gives its program the prompt back. */
export const restorePrompt = `[ -z "\${${promptVariable}+x}" ] || { PS1=$${promptVariable}; export PS1; unset ${promptVariable}; }`;

/**
 * The part of a shell script that starts the relays and waits until all listen: `$1` is socat, then a port, the same as
 * the kernel writes it, and a socket for each, then `--`; what is left is the program. Each relay has a session of its own, so that no key typed in the
 * terminal reaches it. The kernel lists the ports that are listened on as hexadecimal numbers.
 */
export const startRelays = `socat=$1; shift
while [ "$1" != -- ]; do
  setsid "$socat" -t 10 "TCP4-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork,backlog=128" "UNIX-CONNECT:$3" </dev/null >/dev/null 2>&1 &
  ports="$ports $2"; shift 3
done
shift
listens() {
  while read -r line; do case $line in *"0100007F:$port 00000000:0000 0A"*) return 0 ;; esac; done </proc/net/tcp
  return 1
}
for port in $ports; do
  tries=0
  until listens; do
    tries=$((tries + 1)); [ $tries -lt 1000 ] || { echo "no relay listens on port 0x$port"; exit 126; }
    sleep 0.003
  done
done
unset -f listens
unset socat tries port ports line
${restorePrompt}`;

/** The arguments of `startRelays`, before the program. */
export function relayArguments(socat: string, relays: readonly Relay[]): string[] {
  return [socat, ...relays.flatMap(({ port, socket }) => [String(port), inKernel(port), socket]), '--'];
}

const inKernel = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
