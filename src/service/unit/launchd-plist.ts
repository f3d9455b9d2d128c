import type { ServiceDefinition } from './service-definition.ts';

/** How long launchd waits before it starts the service again, in seconds. */
const throttleSeconds = 30;

/**
 * The property list of a service for launchd. A stop ends muster alone (`AbandonProcessGroup`): terminals of agents go on.
 * Its output is appended to a file.
 */
export function launchdPlist({ name, argv, environment }: ServiceDefinition, outputFile: string): string {
  const entries = Object.entries(environment).map(([key, value]) => `    ${environmentEntry(key, value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  ${keyElement('Label')}${stringElement(name)}`,
    `  ${keyElement('ProgramArguments')}<array>${argv.map(stringElement).join('')}</array>`,
    `  ${keyElement('EnvironmentVariables')}<dict>`,
    ...entries,
    '  </dict>',
    `  ${keyElement('RunAtLoad')}<true/>`,
    `  ${keyElement('KeepAlive')}<dict>${keyElement('SuccessfulExit')}<false/></dict>`,
    `  ${keyElement('ThrottleInterval')}<integer>${throttleSeconds}</integer>`,
    `  ${keyElement('ExitTimeOut')}<integer>30</integer>`,
    `  ${keyElement('AbandonProcessGroup')}<true/>`,
    `  ${keyElement('StandardOutPath')}${stringElement(outputFile)}`,
    `  ${keyElement('StandardErrorPath')}${stringElement(outputFile)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** The entry of a property list that sets a variable. */
export function environmentEntry(name: string, value: string): string {
  return `${keyElement(name)}${stringElement(value)}`;
}

const keyElement = (text: string) => `<key>${escaped(text)}</key>`;
const stringElement = (text: string) => `<string>${escaped(text)}</string>`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
