// `npm run recording`: a short session in a real terminal, as docs/recording.cast, and as the picture docs/recording.svg of it. The
// service is the real one; claude and codex are programs that show recorded screens of theirs. With `--svg` only the picture is
// made, of the recording that is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { castText, readCast } from './cast-file.ts';
import { playSession } from './session.ts';
import { svgOf } from './svg.ts';

const place = (name: string): URL => new URL(`../../docs/${name}`, import.meta.url);
if (!process.argv.includes('--svg')) {
  writeFileSync(place('recording.cast'), castText(await playSession()));
}
writeFileSync(place('recording.svg'), await svgOf(readCast(readFileSync(place('recording.cast'), 'utf8'))));
