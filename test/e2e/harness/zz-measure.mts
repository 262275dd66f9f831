import { openWorkbench, sampleWorkspace } from '/work/main/test/e2e/harness/workbench.ts';
import { closeBrowser } from '/work/main/test/e2e/harness/browser.ts';
for (let i=0;i<3;i++){ const t=Date.now(); const w=await openWorkbench({folder:sampleWorkspace()}); console.log('open', Date.now()-t); const u=Date.now(); await w.close(); console.log('close', Date.now()-u);} 
await closeBrowser();
