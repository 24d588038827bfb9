// RUN: boost-opt %s -boost-place="mesh=dp=1048576,tp=1024" | FileCheck %s --check-prefix=MOST
// RUN: not boost-opt %s -boost-place="mesh=dp=1048576,tp=1025" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=dp=1048577" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=tp=-2" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=tp=" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=tp" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh==2" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=t-p=2" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=tp=2," 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not boost-opt %s -boost-place="mesh=dp=2,2" 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: boost-opt %s -boost-place="mesh=4" | FileCheck %s --check-prefix=NUMBER
// RUN: boost-opt %s -boost-place="mesh=dp=1,a_9=1,B=1" | FileCheck %s --check-prefix=NAMES
// RUN: boost-opt %s -boost-place="mesh=a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1,r=1,s=1,t=1,u=1,v=1,w=1,x=1,y=1,z=1,A=1,B=1,C=1,D=1,E=1" | FileCheck %s --check-prefix=AXES
// RUN: not boost-opt %s -boost-place="mesh=a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1,r=1,s=1,t=1,u=1,v=1,w=1,x=1,y=1,z=1,A=1,B=1,C=1,D=1,E=1,F=1" 2>&1 | FileCheck %s --check-prefix=REFUSED
// The bounds of a mesh: 2^20 ranks along an axis, 2^30 in all, 31 axes.

// MOST:    shard.grid @mesh(shape = 1048576x1024) {boost.axes = ["dp", "tp"]}
// REFUSED: for the --mesh option: expects a mesh such as 'dp=2,tp=4', but got '
// NUMBER:  shard.grid @mesh(shape = 4) {boost.axes = ["tp"]}
// NAMES:   shard.grid @mesh(shape = 1x1x1) {boost.axes = ["dp", "a_9", "B"]}
// AXES:    shard.grid @mesh(shape = 1x1x1x1{{.*}} "D", "E"]}
func.func @loss(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
