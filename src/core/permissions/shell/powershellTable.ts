// PowerShell's commands: other names, which words are files, which only read. Data only; `powershellWalk.ts` reads it. All
// names in lower case.

export type FileRole = 'read' | 'write' | 'remove' | 'none';

export interface Cmdlet {
	/** What the words without a parameter are, in order; the last role holds for all that follow. */
	readonly words?: readonly FileRole[];
	/** Parameters whose value is a file. Parameters not named in `values` or here take no file. */
	readonly files?: Readonly<Record<string, FileRole>>;
	/** It goes into folders by itself. */
	readonly deep?: boolean;
	/** Without a file it reads the current folder. */
	readonly here?: boolean;
	readonly readOnly?: boolean;
	/** It runs text or programs that its words do not show. */
	readonly runs?: boolean;
}

const reads: Cmdlet = { words: ['read'], files: { path: 'read', literalpath: 'read' }, readOnly: true };
const shows: Cmdlet = { readOnly: true };
const writes: Cmdlet = { words: ['write', 'none'], files: { path: 'write', literalpath: 'write', filepath: 'write' } };
const runs: Cmdlet = { runs: true };

const many = (names: string, cmdlet: Cmdlet): Record<string, Cmdlet> =>
	Object.fromEntries(names.split(' ').map((name) => [name, cmdlet]));

export const cmdlets: Readonly<Record<string, Cmdlet>> = {
	...many(
		'get-content get-item get-itemproperty test-path resolve-path import-csv get-filehash format-hex get-acl',
		reads,
	),
	'get-childitem': { ...reads, words: ['read', 'none'], deep: true, here: true },
	'select-string': { ...reads, words: ['none', 'read'] },
	'set-location': { ...reads },
	'push-location': { ...reads, readOnly: false },
	'pop-location': {},
	...many(
		'get-location get-date get-process get-command get-help get-member get-variable get-host get-service get-module get-alias ' +
			'get-unique write-output write-host measure-object select-object where-object sort-object group-object ' +
			'format-table format-list format-wide out-string out-null out-host out-default convertto-json convertfrom-json ' +
			'convertto-csv convertfrom-csv compare-object join-path split-path get-random get-culture get-psdrive foreach-object',
		shows,
	),
	...many(
		'set-content add-content clear-content out-file export-csv export-clixml tee-object start-transcript set-itemproperty clear-item set-acl',
		writes,
	),
	'set-item': writes,
	'new-item': { ...writes, files: { ...writes.files, name: 'write' } },
	'remove-item': { words: ['remove'], files: { path: 'remove', literalpath: 'remove' }, deep: true },
	'copy-item': {
		words: ['read', 'write'],
		files: { path: 'read', literalpath: 'read', destination: 'write' },
		deep: true,
	},
	'move-item': {
		words: ['remove', 'write'],
		files: { path: 'remove', literalpath: 'remove', destination: 'write' },
		deep: true,
	},
	'rename-item': {
		words: ['remove', 'write'],
		files: { path: 'remove', literalpath: 'remove', newname: 'write' },
		deep: true,
	},
	'expand-archive': {
		words: ['read', 'write'],
		files: { path: 'read', literalpath: 'read', destinationpath: 'write' },
		deep: true,
		here: true,
	},
	'compress-archive': {
		words: ['read', 'write'],
		files: { path: 'read', literalpath: 'read', destinationpath: 'write' },
		deep: true,
	},
	'invoke-webrequest': { words: ['none'], files: { outfile: 'write', infile: 'read' } },
	'invoke-restmethod': { words: ['none'], files: { outfile: 'write', infile: 'read' } },
	...many(
		'invoke-expression invoke-command invoke-item start-process start-job start-threadjob invoke-cimmethod invoke-wmimethod add-type ' +
			'import-module new-object new-module set-alias new-alias import-alias register-objectevent register-engineevent ' +
			'register-wmievent register-cimindicationevent set-psbreakpoint new-psdrive invoke-history enter-pssession new-pssession ' +
			'update-typedata update-formatdata import-pssession import-clixml set-variable new-variable set-psreadlineoption ' +
			'invoke-pester register-scheduledjob register-scheduledtask cmd powershell pwsh bash sh wsl zsh fish cscript wscript ' +
			'mshta rundll32 regsvr32 msbuild schtasks at sudo env xargs',
		runs,
	),
};

export const aliases: Readonly<Record<string, string>> = Object.fromEntries(
	(
		'gc=get-content cat=get-content type=get-content gi=get-item gp=get-itemproperty rvpa=resolve-path ipcsv=import-csv ' +
		'fhx=format-hex gci=get-childitem ls=get-childitem dir=get-childitem sls=select-string cd=set-location chdir=set-location ' +
		'sl=set-location pushd=push-location popd=pop-location gl=get-location pwd=get-location gps=get-process ps=get-process ' +
		'gcm=get-command help=get-help man=get-help gm=get-member gv=get-variable gsv=get-service gmo=get-module gal=get-alias ' +
		'gu=get-unique echo=write-output write=write-output measure=measure-object select=select-object where=where-object ' +
		'?=where-object sort=sort-object group=group-object ft=format-table fl=format-list fw=format-wide oh=out-host ' +
		'compare=compare-object diff=compare-object gdr=get-psdrive foreach=foreach-object %=foreach-object sc=set-content ' +
		'ac=add-content clc=clear-content epcsv=export-csv tee=tee-object sp=set-itemproperty cli=clear-item si=set-item ' +
		'ni=new-item mkdir=new-item md=new-item rm=remove-item del=remove-item erase=remove-item rd=remove-item ri=remove-item ' +
		'rmdir=remove-item cp=copy-item copy=copy-item cpi=copy-item mv=move-item move=move-item mi=move-item ren=rename-item ' +
		'rni=rename-item iwr=invoke-webrequest curl=invoke-webrequest wget=invoke-webrequest irm=invoke-restmethod ' +
		'iex=invoke-expression icm=invoke-command ii=invoke-item saps=start-process start=start-process sajb=start-job ipmo=import-module ' +
		'sal=set-alias nal=new-alias ihy=invoke-history r=invoke-history etsn=enter-pssession nsn=new-pssession ipal=import-alias ' +
		'sv=set-variable set=set-variable nv=new-variable ndr=new-psdrive sbp=set-psbreakpoint'
	)
		.split(' ')
		.map((pair) => [pair.slice(0, pair.indexOf('=', 1)), pair.slice(pair.indexOf('=', 1) + 1)]),
);

/** Parameters that take a value which is no file. */
export const valueParameters: readonly string[] = (
	'value encoding filter include exclude itemtype delimiter inputobject method uri headers body contenttype property first ' +
	'last skip totalcount tail head context pattern stream width depth credential useragent stream readcount ' +
	'expandproperty unique foregroundcolor backgroundcolor format separator erroraction warningaction errorvariable outvariable childpath parent'
).split(' ');
