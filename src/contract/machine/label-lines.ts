/** The lines of an arrow's labels. A guard is below its event, which keeps the chart narrow. */
export function labelLines(labels: readonly string[]): readonly string[] {
  return labels.flatMap((label) => label.split(/ (?=\[)/));
}
