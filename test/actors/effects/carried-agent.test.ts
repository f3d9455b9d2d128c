import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packWork } from '#actors/host/effects/pack-work.ts';
import { provisionWorktree } from '#actors/host/effects/provision-worktree.ts';
import { unpackWork } from '#actors/host/effects/unpack-work.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentContext } from '#machines/agent/agent-context.ts';
import type { MovePackage } from '#machines/agent/move.ts';
import type { Worktree } from '#machines/agent/worktree.ts';
import { builtIn } from '#machines/harness/table.ts';
import { noProfiles } from '#test/actors/no-profiles.ts';
import { performanceOf } from '#test/actors/performance-of.ts';
import { agentContext } from '#test/support/agent-context.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';
import { gitIn } from '#test/support/git-in.ts';
import { inSoak } from '#test/support/soak.ts';
import { inTurn, someOf } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { OpenPackage } from '#world/file/package/package-file.ts';
import { PackageFolder } from '#world/file/package/package-folder.ts';

const agentId = 'agt_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
const moveId = 'mov_01JD6Z8Q4V5N7W2K3M9R0TXYAB';
const sessionId = '6b1f8a3e-4a54-4a0e-9f0f-0c8d3f6f2a11';

describe('the package of a moving agent', () => {
  let folder: TemporaryFolder;
  let worktree: Worktree;
  let near: PackageFolder;
  let far: PackageFolder;
  const at = (...names: string[]): string => join(folder.path, ...names);
  const git = (where: string, ...args: string[]): string => gitIn(at(where), ...args);
  const dashes = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');
  const conversationIn = (person: string, cwd: string): string =>
    at(person, '.claude', 'projects', dashes(cwd), `${sessionId}.jsonl`);

  beforeEach(async () => {
    folder = temporaryFolder('carried');
    [near, far] = [new PackageFolder(at('near-moves')), new PackageFolder(at('far-moves'))];
    mkdirSync(at('repository'));
    git('repository', 'init', '-q', '-b', 'main');
    writeFileSync(at('repository', 'a.txt'), 'a\n');
    git('repository', 'add', '.');
    git('repository', 'commit', '-qm', 'first');
    git('.', 'clone', '-q', at('repository'), at('clone'));
    const ready = await provisionWorktree(at('near-worktrees')).perform(performanceOf(recordOf({}), effect));
    if (ready?.type !== 'WORKTREE_READY') throw new Error('no worktree was made');
    worktree = ready.worktree;
    writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
    mkdirSync(join(conversationIn('near-person', worktree.path), '..'), { recursive: true });
    const line = (text: string) => `${JSON.stringify({ type: 'user', cwd: worktree.path, text })}\n`;
    writeFileSync(conversationIn('near-person', worktree.path), line('hello') + line(worktree.path));
  });
  afterEach(() => folder.remove());

  const effect = { key: 'k', kind: 'k', params: {} };
  const order = {
    id: moveId,
    from: { hostId: 'hst_1', host: 'near', cwd: '' },
    to: { hostId: 'hst_2', host: 'far', cwd: '' },
    known: [],
  };
  function recordOf(context: Partial<AgentContext>, cwd = at('repository'), harness = 'claude'): AgentRecord {
    return {
      id: agentId,
      epoch: 2,
      launch: { cwd, harness, provision: true, copyFiles: [], scripts: {}, sessionId },
      snapshot: {
        value: 'moving',
        context: agentContext({ firstName: 'a', briefed: true, session: { id: sessionId, at: 0 }, ...context }),
      },
    } as unknown as AgentRecord;
  }

  const home = (person: string) => ({
    harnesses: builtIn,
    environment: { HOME: at(person) },
    variables: [],
    sandboxes: at('sandboxes'),
    profiles: noProfiles,
  });

  async function packed(harness = 'claude'): Promise<MovePackage> {
    const options = { ...home('near-person'), packages: near, worktrees: at('near-worktrees') };
    const record = recordOf({ worktree, move: order }, undefined, harness);
    const event = await packWork(options).perform(performanceOf(record, effect));
    if (event?.type !== 'PACKED') throw new Error('nothing was packed');
    return event.package;
  }

  async function unpacked(announced: MovePackage, cwd = at('clone'), pieceAt?: (offset: number) => Promise<Buffer>) {
    const read = pieceAt ?? ((offset: number) => near.read(moveId, offset, 1_000));
    const event = await unpackWork({
      ...home('far-person'),
      packages: far,
      worktrees: at('far-worktrees'),
      repositories: at('far-repositories'),
      registry: { piece: async (_agent, _epoch, offset) => (await read(offset)).toString('base64') },
    }).perform(performanceOf(recordOf({ move: { ...order, package: announced } }, cwd), effect));
    if (event?.type !== 'UNPACKED' || event.worktree === undefined) throw new Error('nothing was unpacked');
    return event.worktree;
  }

  /** A package with another header, as a host might send that means harm. */
  async function forged(
    change: (header: { conversation: { names: string[] }[] }) => void,
    bundle?: string,
  ): Promise<MovePackage> {
    await packed();
    await using real = await OpenPackage.open(at('near-moves', `${moveId}.package`));
    const header = real.header as { work: { bytes: number }; conversation: { names: string[]; bytes: number }[] };
    const parts = [header.work, ...header.conversation];
    const files = parts.map((_, place) => at(`part-${place}`));
    for (const [place, part] of parts.entries()) {
      const chunks: Buffer[] = [];
      for await (const chunk of real.part(part.bytes)) chunks.push(chunk);
      writeFileSync(files[place] ?? '', Buffer.concat(chunks));
    }
    if (bundle !== undefined) {
      files[0] = bundle;
      header.work.bytes = readFileSync(bundle).length;
    }
    change(header);
    return near.write(
      moveId,
      header,
      parts.map(({ bytes }, place) => ({ bytes, file: files[place] ?? '' })),
      10 ** 9,
    );
  }

  it('contains the worktree and the conversation, with the other host’s directory in it, and is as announced', async () => {
    const announced = await packed();
    for (const [wrong, why] of [
      [{ ...announced, digest: '0'.repeat(64) }, 'digest'],
      [{ ...announced, bytes: announced.bytes - 1 }, 'other than'],
    ] as const) {
      expect((await failureOf(() => unpacked(wrong)))?.message).to.contain(why);
      expect(readdirSync(at('far-moves'))).to.deep.equal([]);
    }
    const made = await unpacked(announced);
    expect(readFileSync(join(made.path, 'new.txt'), 'utf8')).to.equal('new\n');
    const lines = readFileSync(conversationIn('far-person', made.path), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal([
      { type: 'user', cwd: made.path, text: 'hello' },
      { type: 'user', cwd: made.path, text: worktree.path },
    ]);
    expect(readdirSync(at('far-moves'))).to.deep.equal([]);
  });

  inSoak('arrives once, even if it is unpacked repeatedly or after a crash', async () => {
    const announced = await packed();
    let left = 2;
    const cut = async (offset: number) => {
      left -= 1;
      if (left < 0) throw refusalWith('unavailable', 'the process died');
      return near.read(moveId, offset, 500);
    };
    expect(await failureOf(() => unpacked(announced, undefined, cut))).not.to.equal(undefined);
    const first = await unpacked(announced);
    const again = await unpacked(announced);
    expect(again).to.deep.equal(first);
    expect(git('clone', 'worktree', 'list').split('\n')).to.have.length(2);
  });

  inSoak('becomes a repository of its own on a host that has none', async () => {
    const made = await unpacked(await packed(), at('far-repositories', 'repository-1.git'));
    expect(made.repository).to.equal(at('far-repositories', 'repository-1.git'));
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).to.equal('a\n');
  });

  inSoak('does not overwrite an earlier worktree of the agent', async () => {
    const first = await unpacked(await packed());
    writeFileSync(join(first.path, 'own.txt'), 'work\n');
    renameSync(first.path, `${first.path}-moved`);
    mkdirSync(first.path);
    writeFileSync(join(first.path, 'foreign.txt'), 'work\n');
    const other = { ...order, id: 'mov_01JD6Z8Q4V5N7W2K3M9R0TXYAC' };
    const announced = await packed();
    renameSync(at('near-moves', `${moveId}.package`), at('near-moves', `${other.id}.package`));
    const event = await unpackWork({
      ...home('far-person'),
      packages: far,
      worktrees: at('far-worktrees'),
      repositories: at('far-repositories'),
      registry: {
        piece: async (_agent, _epoch, offset) => (await near.read(other.id, offset, 1_000)).toString('base64'),
      },
    }).perform(performanceOf(recordOf({ move: { ...other, package: announced } }, at('clone')), effect));
    expect(event?.type).to.equal('UNPACKED');
    expect(readFileSync(join(first.path, 'foreign.txt'), 'utf8')).to.equal('work\n');
  });

  inTurn('writes only into the worktree and the conversation’s folder', async () => {
    const names: readonly (readonly string[])[] = [['..', '..', 'x'], ['/etc/x'], ['a/b'], ['.'], []];
    for (const one of someOf(names)) {
      const announced = await forged(({ conversation: [file] }) => {
        Object.assign(file ?? {}, { pattern: 1, names: [...one] });
      });
      const failure = await failureOf(() => unpacked(announced));
      expect(failure?.reason, one.join('/')).to.equal('PACKAGE_REFUSED');
      expect(existsSync(at('far-person'))).to.equal(false);
    }
  });

  inTurn('follows no link and overwrites no other conversation', async () => {
    const announced = await packed();
    const made = await unpacked(announced);
    const file = conversationIn('far-person', made.path);
    writeFileSync(file, 'somebody else\n');
    expect((await failureOf(() => unpacked(announced)))?.message).to.contain('is another conversation');
    expect(readFileSync(file, 'utf8')).to.equal('somebody else\n');
    const projects = at('far-person', '.claude', 'projects');
    renameSync(projects, at('elsewhere'));
    symlinkSync(at('elsewhere'), projects);
    expect((await failureOf(() => unpacked(announced)))?.message).to.contain('is not a folder');
  });

  it('is refused if an object of its bundle would leave the worktree', async () => {
    const blob = execFileSync('git', ['-C', at('repository'), 'hash-object', '-w', '--stdin'], { input: 'x' })
      .toString()
      .trim();
    const entry = (mode: string, name: string, sha: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]);
    const treeOf = (name: string): string => {
      const args = ['-C', at('repository'), 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
      return execFileSync('git', args, { input: entry('100644', name, blob) })
        .toString()
        .trim();
    };
    for (const name of someOf(['..', '.git'], 1)) {
      const commit = git('repository', 'commit-tree', '-m', 'x', '-p', 'main', treeOf(name));
      const ref = `refs/muster/carried/${agentId}`;
      git('repository', 'update-ref', ref, commit);
      git('repository', 'bundle', 'create', '-q', at('hostile.bundle'), ref);
      const announced = await forged((header) => {
        Object.assign((header as unknown as { work: object }).work, {
          commit,
          treeSha: git('repository', 'rev-parse', `${commit}^{tree}`),
        });
      }, at('hostile.bundle'));
      expect((await failureOf(() => unpacked(announced)))?.reason, name).to.equal('PACKAGE_REFUSED');
      expect(existsSync(at('far-worktrees'))).to.equal(false);
    }
  });

  inSoak('is not made if the CLI’s conversation is missing', async () => {
    expect((await failureOf(() => packed('gemini')))?.reason).to.equal('CONVERSATION_NOT_CARRIED');
    renameSync(conversationIn('near-person', worktree.path), at('away'));
    expect((await failureOf(() => packed()))?.reason).to.equal('CONVERSATION_NOT_CARRIED');
  });
});

it('a package that would fill the disk is refused before any of it is fetched', async () => {
  const folder = temporaryFolder('carried');
  const far = new PackageFolder(folder.path);
  const announced = { bytes: 2 ** 60, digest: 'sha256:0' };
  const refused = await failureOf(() => far.receive(moveId, announced, () => expect.fail('it was fetched')));
  folder.remove();
  expect(refused.reason).to.equal('DISK_FULL');
  expect(refused.message).to.include(folder.path).and.to.include('make room');
});
