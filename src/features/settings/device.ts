/** The common names of a user agent's browser and system. An unrecognized part is absent. */
export interface Device {
  browser?: string;
  system?: string;
}

// The first match counts: Edge, Opera, Samsung's browser and Vivaldi also call themselves Chrome, and Chrome calls
// itself Safari.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/\S+.*\bSafari\//, "Safari"],
];

// The first match counts: Android also calls itself Linux, and an iPhone says that it is like Mac OS X.
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

/** @param userAgent the User-Agent header; null when there was none */
export function deviceOf(userAgent: string | null): Device {
  const [browser, system] = [firstOf(browsers, userAgent ?? ""), firstOf(systems, userAgent ?? "")];
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
}
