/**
 * The launcher for agents that start their hooks in PowerShell. It asks no daemon: Node cannot listen at a socket there that belongs to one person. It
 * has not been tried on Windows.
 */
export const powershellText = `# Runs the hooks of this folder in a coding agent: hook.ps1 AGENT EVENT [ANSWER]
# Made by "spec-hooks install". ANSWER is printed where the hooks cannot be asked. Not tried on Windows yet.
param([string] $Agent, [string] $Moment, [string] $Answer = '')
$ErrorActionPreference = 'Stop'
try {
  $OutputEncoding = [Console]::InputEncoding = [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
  $sent = [Console]::In.ReadToEnd()
  $found = @{}
  $local = Join-Path $PSScriptRoot 'local'
  if (Test-Path $local) {
    foreach ($line in Get-Content $local) { if ($line -match "^([A-Z]+)='(.*)'$") { $found[$Matches[1]] = $Matches[2] } }
  }
  $isKnown = " $($found.KNOWN) ".Contains(" $Agent ")
  if ($isKnown -and -not " $($found.GUARDS) ".Contains(" \${Agent}:$Moment ")) { $Answer = '' }
  $node = if ($found.NODE -and (Test-Path $found.NODE)) { $found.NODE } else { (Get-Command node).Source }
  $cli = $found.CLI
  for ($up = $PSScriptRoot; $up -and -not ($cli -and (Test-Path $cli)); $up = Split-Path -Parent $up) {
    $cli = Join-Path $up 'node_modules/@spec/cli/dist/main.mjs'
  }
  $words = @('hook', '--launcher', '--agent', $Agent, '--event', $Moment) + __PLACE__
  $said = $sent | & $node $cli @words 2> $null
  $code = $LASTEXITCODE
  if ($code -eq 0) { [Console]::Out.Write($said -join "\`n"); exit 0 }
  if ($code -eq 2) { [Console]::Error.Write($said -join "\`n"); exit 2 }
} catch { }
[Console]::Out.Write($Answer)
exit 0
`;

/** The entry's command in PowerShell: it answers by itself where the launcher is gone, or must not run. @param folder of the launcher; without one it is looked for */
export function writePowershellCommand(
  folder: string | undefined,
  { agent, event, denial }: { readonly agent: string; readonly event: string; readonly denial: string },
): string {
  const find =
    folder === undefined
      ? String.raw`$d = $PWD.Path; while ($d -and -not (Test-Path "$d\.spec-hooks\hook.ps1")) { $d = Split-Path -Parent $d }; $h = "$d\.spec-hooks\hook.ps1"`
      : `$h = ${quoteForPowershell(`${folder}\\hook.ps1`)}`;
  return `${find}; $a = ${quoteForPowershell(denial)}; try { & $h ${agent} ${event} $a; exit $LASTEXITCODE } catch { [Console]::Out.Write($a) }`;
}

function quoteForPowershell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
