const paths = {
  mail: 'M2 4h12v8.5H2zM2 4.5l6 4.6 6-4.6',
  review: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  reply: 'M6.500 3.500l-4 4 4 4M2.500 7.500H9A4.500 4.500 0 0 1 13.500 12v1',
  pull: 'M4 5.5v5M4 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zm0 8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zm8 0a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zm0-3V7c0-1.5-1-2.5-2.5-2.5H8m0 0L9.8 2.7M8 4.500l1.800 1.800',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.500H3zM6.800 14h2.400',
  hand: 'M5.500 2.500v11M10.500 2.500v11',
  parked: 'M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM8 4.500V8l2.500 1.500',
  away: 'M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM3.500 3.500l9 9',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zm3.700-1.300L14 14',
} as const;

/** An icon. The text next to it, or the element around it, gives its meaning. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
