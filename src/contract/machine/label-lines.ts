/** The lines of an arrow's labels as they are drawn: a guard stands below its event, so that the chart stays narrow. */
export function labelLines(labels: readonly string[]): readonly string[] {
  return labels.flatMap((label) => label.split(/ (?=\[)/));
}
