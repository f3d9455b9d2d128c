/** Plays two soft notes. Browsers that allow sound only after a click stay silent. */
export function chime(): void {
  const context = new AudioContext();
  const notes = [660, 880] as const;
  notes.forEach((frequency, at) => {
    const start = context.currentTime + at * 0.16;
    const tone = new OscillatorNode(context, { frequency, type: 'sine' });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.42);
    if (at === notes.length - 1) tone.onended = () => void context.close();
  });
}
