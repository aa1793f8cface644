/** Browser and system of a user agent, by their common names. An unrecognised part is missing. */
export interface Device {
  browser?: string;
  system?: string;
}

// The first that fits: Edge, Opera, Samsung's and Vivaldi call themselves Chrome as well, and Chrome calls itself Safari.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/\S+.*\bSafari\//, "Safari"],
];

// Android calls itself Linux as well, and an iPhone says that it is like Mac OS X.
const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, "Windows"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const firstOf = (rules: readonly [RegExp, string][], text: string) => rules.find(([rule]) => rule.test(text))?.[1];

/** @param userAgent the header of that name; null when there was none */
export function deviceOf(userAgent: string | null): Device {
  const [browser, system] = [firstOf(browsers, userAgent ?? ""), firstOf(systems, userAgent ?? "")];
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
}
