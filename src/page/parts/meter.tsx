// biome-ignore-all lint/a11y/useSemanticElements: browsers draw <meter> each in its own way, and read out no words for it
import { percentText, scarceFrom } from '#contract/host/load-reading.ts';
import './meter.css';

interface MeterProps {
  /** The name of the resource, such as `Memory`. */
  readonly name: string;
  /** The used share; undefined if unknown. It is more than 1 if programs wait. */
  readonly share: number | undefined;
  /** The figures as text, also for screen readers. */
  readonly text: string;
  /** The word before the figures once the resource is scarce, such as `scarce`. */
  readonly scarce: string;
}

/** How much of a resource is used: a bar with its figures, with a word if the resource is scarce. */
export function Meter({ name, share, text, scarce }: MeterProps) {
  if (share === undefined) {
    return (
      <div className="meter">
        <span className="meter-name">{name}</span>
        <span className="meter-bar meter-none" />
        <span className="meter-text">unknown</span>
      </div>
    );
  }
  const isScarce = share >= scarceFrom;
  const shown = Math.min(100, Math.round(share * 100));
  const words = isScarce ? `${scarce}: ${text}` : text;
  return (
    <div className="meter" data-scarce={isScarce}>
      <span className="meter-name">{name}</span>
      <span className="meter-share">{percentText(share)}</span>
      <span
        className="meter-bar"
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shown}
        aria-valuetext={`${percentText(share)}, ${words}`}
      >
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect className="meter-fill" width={shown} height="1" />
          <rect className="meter-tick" x={scarceFrom * 100} width="1" height="1" />
        </svg>
      </span>
      <span className="meter-text">{words}</span>
    </div>
  );
}
