import assert from 'node:assert/strict';
import { analysed, codesOf, commandsOf, writesOf } from '../../support/shellAnalysis.ts';

suite('shell: PowerShell', () => {
	const started: Record<string, readonly string[]> = {
		'Get-ChildItem | Remove-Item x': ['get-childitem', 'remove-item x'],
		'ls; if ($a) { rm b } else { foo c }': ['get-childitem', 'remove-item b', 'foo c'],
		'foo "$(bar)" @(baz)': ['foo ? ?', 'bar', 'baz'],
		'REMOVE-ITEM a; r`m b; Microsoft.PowerShell.Management\\Remove-Item c': [
			'remove-item a',
			'remove-item b',
			'remove-item c',
		],
		'& "foo.exe" a; & { bar }': ['foo a', 'bar'],
	};
	for (const [command, commands] of Object.entries(started)) {
		test(`all that is started by ${command}`, async () => {
			assert.deepEqual(commandsOf(await analysed(command, 'pwsh')).toSorted(), commands.toSorted());
		});
	}

	const written: Record<string, readonly string[]> = {
		'ls > out.txt': ['/w/out.txt'],
		'ls > $null': [],
		'Set-Content -Path a -Value "b c"': ['/w/a'],
		'"x" | Out-File a': ['/w/a'],
		'rm -Recurse a\\b': ['/w/a/b/** removed'],
		'Copy-Item a b; mv c d': ['/w/b/**', '/w/c/** removed', '/w/d/**'],
		'New-Item -ItemType File -Path x': ['/w/x'],
		'iwr http://x -OutFile y': ['/w/y'],
	};
	for (const [command, files] of Object.entries(written)) {
		test(`all that is written by ${command}`, async () => {
			assert.deepEqual(writesOf(await analysed(command, 'powershell.exe')).toSorted(), files.toSorted());
		});
	}

	for (const command of [
		'iex "rm x"',
		'Invoke-Expression $x',
		'& $x',
		'. ./a.ps1',
		'powershell -EncodedCommand AA',
		'pwsh -c "rm x"',
		'cmd /c del x',
		'[IO.File]::Delete("x")',
		'$a.Delete()',
		'$env:PATH = "x"',
		'ls | % Delete',
		'ls | Remove-Item',
		'Start-Process x',
		'Set-Alias ls rm',
		'function ls { rm x }; ls',
		'Remove-Item $x',
		'cat Function:x',
		'Get-Content \\\\server\\share\\x',
		'foo --% a',
		'Add-Type x',
		'rm “x”',
		'${C:x} = 1',
	]) {
		test(`not understood: ${command}`, async () => {
			const analysis = await analysed(command, 'pwsh');
			assert.notDeepEqual(codesOf(analysis), []);
			assert.equal(analysis.readOnly, false);
		});
	}

	test('what only reads', async () => {
		for (const command of [
			'Get-ChildItem -Recurse',
			'ls src',
			'Get-Content a',
			'cat a | Select-String b',
			'pwd',
			'Get-Location',
			'git status',
			'cd src',
			'Get-Date',
		]) {
			assert.equal((await analysed(command, 'pwsh')).readOnly, true, command);
		}
		for (const command of [
			'rm x',
			'Set-Content x y',
			'foo',
			'ls > x',
			'git push',
			'iwr x',
			'sort -o x y',
			'Get-Content $x',
		]) {
			assert.equal((await analysed(command, 'pwsh')).readOnly, false, command);
		}
	});
});
