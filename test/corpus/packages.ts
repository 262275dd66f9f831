// Neighbouring versions of packages that many people use: with tabs, CRLF, minified files, and texts in many languages.

export interface PackageVersions {
	readonly name: string;
	/** Each is compared with the one after it. */
	readonly versions: readonly string[];
}

export const packages: readonly PackageVersions[] = [
	{ name: 'lodash', versions: ['4.17.20', '4.17.21'] },
	{ name: 'express', versions: ['4.18.2', '4.19.0'] },
	{ name: 'jquery', versions: ['3.6.4', '3.7.0'] },
	{ name: 'dayjs', versions: ['1.10.8', '1.11.0', '1.11.9', '1.11.10'] },
	{ name: 'moment', versions: ['2.29.3', '2.29.4'] },
	{ name: 'vant', versions: ['4.5.0', '4.6.0', '4.6.1'] },
	{ name: 'axios', versions: ['1.4.0', '1.5.0', '1.6.0'] },
	{ name: 'eslint', versions: ['8.44.0', '8.45.0'] },
	{ name: 'rxjs', versions: ['7.5.7', '7.6.0'] },
	{ name: '@types/node', versions: ['20.4.1', '20.4.2'] },
	{ name: 'typescript', versions: ['4.6.2', '4.6.3'] },
	{ name: '@microsoft/signalr', versions: ['7.0.4', '7.0.5'] },
	{ name: '@azure/msal-browser', versions: ['2.37.0', '2.37.1'] },
	{ name: 'bootstrap', versions: ['5.1.3', '5.2.3', '5.3.0'] },
	{ name: 'element-plus', versions: ['2.3.8', '2.3.9', '2.3.12', '2.4.0'] },
	{ name: 'highlight.js', versions: ['11.7.0', '11.8.0'] },
	{ name: 'webpack', versions: ['5.86.0', '5.87.0', '5.88.0', '5.89.0', '5.90.0'] },
	{ name: 'svelte', versions: ['3.55.1', '3.56.0', '3.57.0', '3.58.0'] },
	{ name: 'three', versions: ['0.150.0', '0.151.3', '0.152.0', '0.153.0', '0.154.0', '0.155.0'] },
];
