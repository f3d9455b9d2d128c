import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { expect } from 'chai';
import { operations, resources } from '#contract/table.ts';
import { describeTable } from '#gateway/proto/descriptors.ts';
import { protoImage } from '#gateway/proto/proto-image.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const proto = join(root, 'proto');
const image = join(proto, 'image.json');

/** Runs buf: its exit code, and what it said. */
function buf(args: readonly string[], input?: string): { status: number | null; said: string; out: Buffer } {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules', '.bin', 'buf'), args, { input });
  return { status, said: `${stdout.toString()}${stderr.toString()}`, out: stdout };
}

type Described = JsonObject & { name: string; value?: unknown[]; method?: unknown[] };
interface Image {
  readonly file: { name: string; messageType?: Described[]; service?: Described[]; enumType?: Described[] }[];
}

describe('the committed contract', () => {
  let folder: TemporaryFolder;
  before(() => {
    folder = temporaryFolder('contract');
  });
  after(() => folder.remove());

  it('is the image that `npm run proto` writes', () => {
    const written = protoImage(describeTable(operations, resources));
    expect(readFileSync(image, 'utf8') === written, 'proto/image.json is out of date: run npm run proto').to.equal(
      true,
    );
  });

  it('is the same in its files and in its image, as buf reads them', () => {
    const built = fromBinary(FileDescriptorSetSchema, buf(['build', proto, '--exclude-source-info', '-o', '-']).out);
    const files = (toJson(FileDescriptorSetSchema, built) as unknown as Image).file;
    const committed = JSON.parse(readFileSync(image, 'utf8')) as Image;
    for (const { bufExtension: _, ...file } of committed.file as (Image['file'][number] & {
      bufExtension?: object;
    })[]) {
      expect(
        files.find(({ name }) => name === file.name),
        file.name,
      ).to.deep.equal(file);
    }
    expect(files).to.have.length(committed.file.length);
  });

  it('passes buf lint, files and image', () => {
    for (const what of [proto, image]) expect(buf(['lint', what])).to.include({ status: 0, said: '' });
  });

  it('is compatible with the working files', () => {
    expect(buf(['breaking', proto, '--against', image])).to.include({ status: 0, said: '' });
  });

  const messageOf = ({ file }: Image, name: string) =>
    file.flatMap(({ messageType = [] }) => messageType).find((message) => message.name === name) as unknown as {
      field: Described[];
    };
  const breaks: Readonly<Record<string, (changed: Image) => void>> = {
    'a field of another type': (changed) => {
      Object.assign(messageOf(changed, 'ListAgentsRequest').field[1] ?? {}, { type: 'TYPE_STRING' });
    },
    'a field of another number': (changed) => {
      Object.assign(messageOf(changed, 'GetAgentRequest').field[0] ?? {}, { number: 9 });
    },
    'a field of another name': (changed) => {
      Object.assign(messageOf(changed, 'GetAgentRequest').field[0] ?? {}, { name: 'id', jsonName: 'id' });
    },
    'a field that is gone': (changed) => {
      messageOf(changed, 'GetAgentRequest').field.pop();
    },
    'an operation that is gone': ({ file }) => {
      const [service] = file.flatMap(({ service: services = [] }) => services);
      service?.method?.pop();
    },
    'a value of an enumeration that is gone': ({ file }) => {
      const states = file.flatMap(({ enumType = [] }) => enumType).find(({ name }) => name === 'AgentState');
      states?.value?.pop();
    },
  };
  for (const [what, change] of Object.entries(breaks)) {
    it(`breaks after ${what}`, () => {
      const changed = JSON.parse(readFileSync(image, 'utf8')) as Image;
      change(changed);
      const { status, said } = buf(['breaking', '-#format=json', '--against', image], JSON.stringify(changed));
      expect(status, said).to.equal(100);
    });
  }

  it('is not overwritten by a breaking one', () => {
    const write = () => spawnSync(process.execPath, [join(root, 'src/gateway/proto/write-proto.ts'), folder.path]);
    const file = join(folder.path, 'image.json');
    expect(write().status).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.equal(readFileSync(image, 'utf8'));
    expect(write().status, 'a contract that stays').to.equal(0);
    const promised = readFileSync(file, 'utf8').replaceAll('"GetAgent"', '"FetchAgent"');
    writeFileSync(file, promised);
    const { status, stderr } = write();
    expect([status, stderr.toString()]).to.satisfy(
      ([code, said]: [number, string]) => code === 1 && /FetchAgent/.test(said),
    );
    expect(readFileSync(file, 'utf8')).to.equal(promised);
  });
});
